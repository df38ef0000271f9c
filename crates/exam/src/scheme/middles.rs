//! Rows of a table without rules whose labels stand beside their middles: a label alone between two lines of its answer has
//! as many of them above as below.

/// A line of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Its middle.
    pub(super) y: f32,
    /// Its height.
    pub(super) height: f32,
    pub(super) is_labelled: bool,
    /// It holds an answer, or a part of one.
    pub(super) answers: bool,
}

/// So many labels between two lines show that all stand beside middles.
const LEAST: usize = 2;
/// How far a line may stand from where its counterpart puts it, in heights.
const SLACK: f32 = 0.4;
/// A label between two lines is no farther from either, in heights.
const BETWEEN: f32 = 1.1;

/// Where each answer begins; `None` where labels stand beside the first lines of theirs, or not all have as many lines above
/// as below.
pub(super) fn begins(rows: &[Row]) -> Option<Vec<usize>> {
    let near = |at: usize, other: Option<usize>| {
        let other =
            other.and_then(|other| rows.get(other)).filter(|other| other.answers && !other.is_labelled);
        other.is_some_and(|other| (other.y - rows[at].y).abs() < BETWEEN * rows[at].height)
    };
    let between = |at: &usize| {
        let own = &rows[*at];
        own.is_labelled && !own.answers && near(*at, at.checked_sub(1)) && near(*at, Some(at + 1))
    };
    if (0..rows.len()).filter(between).count() < LEAST {
        return None;
    }
    let labels: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].is_labelled).collect();
    let mut starts = Vec::with_capacity(labels.len());
    let mut from = 0;
    for (index, label) in labels.iter().enumerate() {
        if from > *label {
            return None;
        }
        starts.push(from);
        let bottom = 2.0 * rows[*label].y - rows[from].y;
        let slack = SLACK * rows[*label].height;
        let next = labels.get(index + 1).copied().unwrap_or(rows.len());
        let own = (*label..next).take_while(|at| rows[*at].y <= bottom + slack);
        let last = own.last()?;
        if (rows[last].y - bottom).abs() > slack {
            return None;
        }
        from = last + 1;
    }
    Some(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines at these heights; "l" is a label alone, "a" an answer, "b" both.
    fn read(lines: &[(f32, char)]) -> Option<Vec<usize>> {
        let row = |(y, kind): &(f32, char)| Row {
            y: *y,
            height: 10.0,
            is_labelled: *kind != 'a',
            answers: *kind != 'l',
        };
        begins(&lines.iter().map(row).collect::<Vec<Row>>())
    }

    #[test]
    fn a_label_between_two_lines_has_as_many_above_as_below() {
        let table = [
            (0.0, 'a'),
            (6.0, 'l'),
            (12.0, 'a'),
            (26.0, 'b'),
            (40.0, 'a'),
            (52.0, 'b'),
            (64.0, 'a'),
            (78.0, 'a'),
            (84.0, 'l'),
            (90.0, 'a'),
        ];
        assert_eq!(read(&table), Some(vec![0, 3, 4, 7]));
    }

    #[test]
    fn labels_beside_first_lines_are_left() {
        assert_eq!(read(&[(0.0, 'b'), (12.0, 'a'), (26.0, 'b'), (38.0, 'a')]), None);
        let uneven =
            [(0.0, 'a'), (6.0, 'l'), (12.0, 'a'), (24.0, 'a'), (36.0, 'a'), (42.0, 'l'), (48.0, 'a')];
        assert_eq!(read(&uneven), None);
    }
}
