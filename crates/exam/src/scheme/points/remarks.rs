//! What a scheme says beside its points: accept, reject, ignore, part marks, and notes.

use super::draft::Draft;
use crate::scheme::EntryLine;
use crate::scheme::partial;
use crate::scheme::phrases::{self, Remark};
use crate::scheme::pieces::Piece;

impl Draft {
    pub(super) fn remark(&mut self, remark: Remark, wording: String) {
        let Some(unit) = self.units.last_mut() else { return };
        match remark {
            Remark::Accept => unit.accept.push(wording),
            Remark::Reject => unit.reject.push(wording),
            Remark::Ignore => unit.ignore.push(wording),
            Remark::Note => self.notes.push(wording),
        }
        self.remarking = Some(remark);
    }

    /// True when a line goes on with the remark that the one before it began.
    pub(super) fn goes_on_remarking(&mut self, piece: &Piece) -> bool {
        let Some(unit) = self.units.last_mut() else { return false };
        let list = match self.remarking {
            Some(Remark::Accept) => &mut unit.accept,
            Some(Remark::Reject) => &mut unit.reject,
            Some(Remark::Ignore) => &mut unit.ignore,
            Some(Remark::Note) | None => return false,
        };
        let Some(last) = list.last_mut().filter(|_| piece.worth.is_none()) else { return false };
        last.push(' ');
        last.push_str(&piece.text);
        true
    }

    /// Guidance beside a line is about the point on that line.
    pub(super) fn guidance(&mut self, line: &EntryLine) {
        let text = line.guidance.trim();
        if text.is_empty() {
            return;
        }
        let (text, steps) = partial::steps(text);
        let text = text.as_str();
        let opens = phrases::begins_remark(text) || partial::begins_mark(text);
        if let Some(step) =
            self.steps.last_mut().filter(|_| self.in_step && steps.is_empty() && line.space < 0.75 && !opens)
        {
            return step.go_on(text);
        }
        self.in_step = !steps.is_empty();
        self.steps.extend(steps);
        if text.is_empty() {
            return;
        }
        let (remark, wording) = phrases::remark(text);
        let wording = wording.to_owned();
        match (remark, self.units.last_mut()) {
            (Remark::Accept, Some(unit)) => unit.accept.push(wording),
            (Remark::Reject, Some(unit)) => unit.reject.push(wording),
            (Remark::Ignore, Some(unit)) => unit.ignore.push(wording),
            _ if phrases::begins_remark(text) => self.notes.push(text.to_owned()),
            (_, Some(unit)) => match [&mut unit.accept, &mut unit.reject, &mut unit.ignore]
                .into_iter()
                .filter_map(|list| list.last_mut())
                .next_back()
            {
                // A remark goes on over several lines of a narrow column.
                Some(last) if line.answer.is_empty() || line.space < 0.75 => {
                    last.push(' ');
                    last.push_str(text);
                }
                _ => self.notes.push(text.to_owned()),
            },
            (_, None) => self.notes.push(text.to_owned()),
        }
    }
}
