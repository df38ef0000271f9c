//! The judge of points: a network that reads question, point and answer as one text and says whether the answer makes
//! the point, only touches it, says something wrong in its place, or nothing; and which words decided.

use super::kept::Kept;
use super::pools::Pools;
use super::wordpiece::{self, Piece};
use super::{ModelError, Opinion};
use rten::{Model, ModelOptions, NodeId, RunOptions};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Length of a piece's row in the words' table.
const WIDTH: usize = 768;
/// Rows of the words' table.
const ROWS: usize = 30_527;
/// The network's table has four more rows before those that its vocabulary shares with the sentence model's.
const ROWS_BEFORE: i32 = 4;
const START: i32 = 0;
const END: i32 = 2;
/// The longest sequence that the network was taught with, frame included.
const SEQUENCE_MAX: usize = 256;
/// Pieces of the point and the question together.
const ASKED_MAX: usize = 128;
/// Characters at the end of a question that are read: a question asks at its end.
const QUESTION_CHARACTERS: usize = 240;
/// Real schemes are terser than those that taught the network, and it refuses too much on them: what it is four in ten
/// sure of is as likely as not (a logarithm of odds; from nothing to twice as much, marks of whole papers agree with an
/// examiner's as often, and with more of it confident nonsense earns more).
const TERSE_SCHEMES: f32 = 0.4;
/// Opinions that are kept, so that an answer that came before costs nothing.
const OPINIONS_MAX: usize = 100_000;

/// The weights: embedded in what is shipped; read from the source tree while developing, because every test program would
/// carry a hundred megabytes otherwise.
macro_rules! weights {
    ($name:literal) => {{
        #[cfg(debug_assertions)]
        let bytes =
            std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/judge/", $name)).map(Cow::Owned);
        #[cfg(not(debug_assertions))]
        let bytes = Ok::<_, std::io::Error>(Cow::Borrowed(
            include_bytes!(concat!("../../../../models/judge/", $name)).as_slice(),
        ));
        bytes.map_err(|error| ModelError::Load(format!("{}: {error}", $name)))
    }};
}

// Each file is named once, in a function that is compiled once: every copy of it would embed the file again.
#[inline(never)]
fn encoder() -> Result<Cow<'static, [u8]>, ModelError> {
    weights!("encoder.onnx")
}

#[inline(never)]
fn words() -> Result<Cow<'static, [u8]>, ModelError> {
    weights!("words.bin")
}

/// A file's name in `models/`, and its bytes.
type File = (&'static str, Cow<'static, [u8]>);

/// The files of the judge.
pub(super) fn files() -> Result<[File; 2], ModelError> {
    Ok([("judge/encoder.onnx", encoder()?), ("judge/words.bin", words()?)])
}

/// The judge of points, loaded once and shared by every thread.
pub(super) struct Joint {
    model: Model,
    input: NodeId,
    outputs: [NodeId; 2],
    words: Cow<'static, [u8]>,
    checksum: String,
    pools: Pools,
    opinions: Kept<Opinion>,
}

impl std::fmt::Debug for Joint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Joint").finish_non_exhaustive()
    }
}

impl Joint {
    pub(super) fn load() -> Result<Joint, ModelError> {
        let failed = |error: &dyn std::fmt::Display| ModelError::Load(error.to_string());
        let words = words()?;
        if words.len() != ROWS * (WIDTH + size_of::<f32>()) {
            return Err(ModelError::Load("words.bin has another size than this version expects".into()));
        }
        let encoder = encoder()?;
        let checksum = Sha256::digest(&encoder).iter().map(|byte| format!("{byte:02x}")).collect();
        let mut options = ModelOptions::with_all_ops();
        // 85 MB more, and a third less time: arranging the weights anew for every pair costs as much as half its products.
        options.prepack_weights(true);
        let model = match encoder {
            Cow::Borrowed(bytes) => options.load_static_slice(bytes),
            Cow::Owned(bytes) => options.load(bytes),
        };
        let model = model.map_err(|error| failed(&error))?;
        let node = |name: &str| model.node_id(name).map_err(|error| failed(&error));
        let (input, outputs) = (node("rows")?, [node("verdicts")?, node("evidence")?]);
        Ok(Joint {
            model,
            input,
            outputs,
            words,
            checksum,
            pools: Pools::default(),
            opinions: Kept::new(OPINIONS_MAX),
        })
    }

    /// The network's SHA-256.
    pub(super) fn checksum(&self) -> &str {
        &self.checksum
    }

    /// What the answer says of a point that can be worded in several ways; `None` when the network cannot tell.
    pub(super) fn opinion(&self, question: &str, wordings: &[&str], answer: &str) -> Option<Opinion> {
        let asked = format!("{} [{}]", wordings.join(" / "), tail(question, QUESTION_CHARACTERS));
        let name = format!("{asked}\u{1f}{answer}");
        let opinion = self.opinions.or_make(&name, || self.read(&asked, answer).unwrap_or_default());
        (*opinion != Opinion::default()).then(|| (*opinion).clone())
    }

    fn read(&self, asked: &str, answer: &str) -> Option<Opinion> {
        const FRAME: usize = 4;
        let asked = wordpiece::pieces(asked, ASKED_MAX);
        let given = wordpiece::pieces(answer, SEQUENCE_MAX - FRAME - asked.len());
        let shared = |piece: &Piece| piece.id + ROWS_BEFORE;
        let mut ids = vec![START];
        ids.extend(asked.iter().map(shared));
        ids.extend([END, END]);
        let begin = ids.len();
        ids.extend(given.iter().map(shared));
        ids.push(END);
        let rows = NdTensor::from_data([1, ids.len(), WIDTH], self.rows(&ids)?);
        let run = self.pools.with(|pool| {
            let options = RunOptions::default().with_thread_pool(Some(Arc::clone(pool)));
            self.model.run_n(vec![(self.input, rows.into())], self.outputs, Some(options))
        });
        let [verdicts, evidence] = run.ok()?;
        let verdicts = NdTensor::<f32, 2>::try_from(verdicts).ok()?.to_vec();
        let evidence = NdTensor::<f32, 3>::try_from(evidence).ok()?.to_vec();
        let &[credited, vague, contradicted, missing] = verdicts.as_slice() else { return None };
        let telling = evidence.get(begin..begin + given.len())?;
        Some(
            Opinion { credited, vague, contradicted, missing, evidence: deciding(telling, &given) }
                .on_terse_schemes(),
        )
    }

    fn rows(&self, ids: &[i32]) -> Option<Vec<f32>> {
        let (table, scales) = self.words.split_at(ROWS * WIDTH);
        let mut rows = Vec::with_capacity(ids.len() * WIDTH);
        for &id in ids {
            let id = usize::try_from(id).ok()?;
            let scale = scales.get(id * 4..id * 4 + 4)?.try_into().ok()?;
            let scale = f32::from_le_bytes(scale);
            let row = table.get(id * WIDTH..(id + 1) * WIDTH)?;
            rows.extend(row.iter().map(|&value| f32::from(value.cast_signed()) * scale));
        }
        Some(rows)
    }
}

impl Opinion {
    /// As the network says it, moved to what real schemes are like; the other three keep their proportions.
    fn on_terse_schemes(self) -> Opinion {
        const SURE: f32 = 0.999;
        let odds =
            (self.credited.clamp(1.0 - SURE, SURE) / (1.0 - self.credited.clamp(1.0 - SURE, SURE))).ln();
        let credited = 1.0 / (1.0 + (-(odds + TERSE_SCHEMES)).exp());
        let left = (1.0 - credited) / (self.vague + self.contradicted + self.missing).max(1e-6);
        Opinion {
            credited,
            vague: self.vague * left,
            contradicted: self.contradicted * left,
            missing: self.missing * left,
            ..self
        }
    }
}

/// The stretch of the answer around the most telling piece: its neighbours that tell half as much, over small gaps.
fn deciding(telling: &[f32], pieces: &[Piece]) -> Option<Range<usize>> {
    const AS_TELLING: f32 = 0.5;
    const GAP_MAX: usize = 2;
    let best = (0..telling.len()).max_by(|&one, &other| telling[one].total_cmp(&telling[other]))?;
    let tells = |at: &usize| telling[*at] >= telling[best] * AS_TELLING;
    let (mut first, mut last) = (best, best);
    while let Some(at) = (first.saturating_sub(GAP_MAX + 1)..first).find(tells) {
        first = at;
    }
    while let Some(at) = (last + 1..telling.len().min(last + 2 + GAP_MAX)).rev().find(tells) {
        last = at;
    }
    Some(pieces[first].start..pieces[last].end)
}

/// The last `characters` of a text.
fn tail(text: &str, characters: usize) -> &str {
    let start = text.char_indices().rev().nth(characters.saturating_sub(1)).map_or(0, |(at, _)| at);
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    static JOINT: LazyLock<Joint> = LazyLock::new(|| Joint::load().unwrap());

    fn credited(question: &str, point: &str, answer: &str) -> f32 {
        JOINT.opinion(question, &[point], answer).unwrap().credited
    }

    #[test]
    fn a_point_is_kept_in_other_words_and_its_opposite_refused() {
        let asked = "Explain what happens to the current when a wire gets hotter.";
        let point = "resistance increases so current decreases";
        let right = credited(
            asked,
            point,
            "It gets harder for the charges to get through, so fewer flow each second.",
        );
        let turned = credited(asked, point, "The resistance decreases, so the current increases.");
        let beside = credited(asked, point, "Wires are made of copper because it is cheap.");
        assert!(right > 0.5 && turned < 0.3 && beside < 0.3, "{right} {turned} {beside}");
    }

    #[test]
    fn the_words_that_decide_are_named() {
        let answer =
            "Plants are green. The stomata close at night, so less water is lost. My teacher said so.";
        let opinion =
            JOINT.opinion("Why do plants lose less water at night?", &["stomata close"], answer).unwrap();
        assert!(opinion.credited > 0.5, "{opinion:?}");
        assert!(answer[opinion.evidence.unwrap()].contains("stomata close"));
    }

    #[test]
    fn any_text_has_an_opinion_that_adds_up_to_one() {
        for answer in ["", "光合作用", "\u{0}\u{ffff}", "</s><mask>", &"word ".repeat(2000)] {
            let said = JOINT.opinion(&"why ".repeat(500), &[&"because ".repeat(300)], answer).unwrap();
            let sum = said.credited + said.vague + said.contradicted + said.missing;
            assert!((sum - 1.0).abs() < 1e-3, "{answer:.20} {said:?}");
            assert!(said.evidence.is_none_or(|span| span.end <= answer.len()), "{answer:.20}");
        }
    }
}
