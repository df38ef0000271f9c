//! The judge that the service uses: words, numbers and the embedded sentence model, weighed as trained.

use super::align::{self, Head};
use super::counsel::{Asked, Counsel, together};
use super::encoder::{Encoded, Encoder, ModelError};
use super::expected::{self, Expected, Prepared, is_foreign};
use super::held::{MEANING, POINTS};
use super::joint::Joint;
use super::kept::Kept;
use super::sense::{self, Senses};
use super::weights::{Doubt, Weights};
use super::wording::Wording;
use super::{Grade, Judge, Judgement, Opinion, PointText, WORDINGS_MAX};
use crate::outcome::ModelIdentity;
use std::ops::Range;
use std::sync::Arc;

/// Pieces of a model answer that are looked at; the network was trained with as many.
const REFERENCE_PIECES_MAX: usize = 128;
/// Pieces of an answer that are looked at, and how many of them are read: leaving out the commonest words of a long answer
/// costs no agreement with people and saves a third of the time.
const ANSWER_PIECES_MAX: usize = 128;
const ANSWER_PIECES_READ: usize = 80;
/// Pieces at the end of a question that are looked at.
const QUESTION_PIECES_MAX: usize = 48;
/// From this many marks on, markers give part of them for almost anything relevant.
const MANY_MARKS: f32 = 3.0;
const VERY_MANY_MARKS: f32 = 10.0;
const LIFT: f32 = 0.35;
/// Where elements are counted, an answer that is worth nothing as a whole keeps this part of what they earn, and a better
/// one this much more for its share of the marks, up to all.
const COUNTED_KEPT: f32 = 0.6;
const COUNTED_BY_MARK: f32 = 0.7;
/// A model answer with this many terms or more (as a logarithm) is long.
const REFERENCE_LONG: f32 = 3.6;

/// The judge that the service uses. Loading takes a moment and some memory: load once and share.
#[derive(Debug)]
pub struct Semantic {
    encoder: Encoder,
    head: Head,
    weights: Weights,
    names: Vec<String>,
    checksum: String,
    keys: Kept<Key>,
    answers: Kept<Read>,
    grades: Kept<Graded>,
    joint: Joint,
    counsel: Option<Asked>,
}

/// A key, prepared in words and for the sentence model.
#[derive(Debug)]
struct Key {
    prepared: Prepared,
    question: Read,
    references: Vec<Read>,
}

/// A text as the sentence model reads it: trained for marking, and in general.
#[derive(Debug)]
struct Read {
    encoded: Encoded,
    senses: Senses,
}

impl Read {
    fn of(text: &str, encoded: Encoded) -> Read {
        Read { senses: Senses::of(text, &encoded), encoded }
    }
}

/// A mark for a whole answer, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Graded {
    /// The share of the marks, and the probability that it is right.
    pub grade: Grade,
    /// Among the least certain quarter of its kind: a person should look.
    pub is_doubtful: bool,
}

impl Semantic {
    /// Loads the embedded model and weights.
    pub fn load() -> Result<Semantic, ModelError> {
        let names = all_names();
        let weights = Weights::load()?;
        if weights.names != names {
            return Err(ModelError::Load("the weights were trained on other measurements".into()));
        }
        Ok(Semantic {
            encoder: Encoder::load()?,
            head: Head::load()?,
            weights,
            names,
            checksum: Encoder::checksum(),
            keys: Kept::new(512),
            answers: Kept::new(1024),
            grades: Kept::new(50_000),
            joint: Joint::load()?,
            counsel: None,
        })
    }

    /// Loads the embedded models, and asks this counsel about points as well. In English both judges' words count;
    /// in other languages, which the built-in one cannot read, the counsel's alone.
    ///
    /// # Errors
    /// When the program is damaged.
    pub fn load_with(counsel: Arc<dyn Counsel>) -> Result<Semantic, ModelError> {
        Ok(Semantic { counsel: Some(Asked::new(counsel)), ..Semantic::load()? })
    }

    /// Grades a whole answer. The same answer to the same key costs nothing twice.
    pub fn graded(&self, expected: &Expected<'_>, answer: &str) -> Graded {
        let name = key_name(expected);
        *self.grades.or_make(&format!("{name}\u{1f}{answer}"), || {
            let key = self.keys.or_make(&name, || self.prepare(expected));
            self.grade_now(expected, &key, answer)
        })
    }

    /// What is measured of an answer, and which model answer it is closest to; see [`Semantic::names`].
    pub fn measure(&self, expected: &Expected<'_>, answer: &str) -> (usize, Vec<f32>) {
        let key = self.keys.or_make(&key_name(expected), || self.prepare(expected));
        self.measured(&key, answer)
    }

    /// The names of what is measured, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What a whole text means, as a direction of length one: like meanings lie close. Empty for a script that the model
    /// was not trained on.
    pub fn direction(&self, text: &str) -> Vec<f32> {
        if is_latin(text) { self.read(text).encoded.mean.clone() } else { Vec::new() }
    }

    fn prepare(&self, expected: &Expected<'_>) -> Key {
        let prepared = Prepared::of(expected);
        let read = |text: &String| Read::of(text, self.encoder.encode(text, REFERENCE_PIECES_MAX));
        let references = prepared.texts.iter().map(read).collect();
        let question = self.encoder.encode_end(expected.question, QUESTION_PIECES_MAX);
        Key { prepared, question: Read::of(expected.question, question), references }
    }

    fn read(&self, answer: &str) -> Arc<Read> {
        self.answers.or_make(answer, || {
            Read::of(answer, self.encoder.encode_telling(answer, ANSWER_PIECES_MAX, ANSWER_PIECES_READ))
        })
    }

    fn measured(&self, key: &Key, answer: &str) -> (usize, Vec<f32>) {
        let (closest, mut values) = key.prepared.measure(answer, &Wording::of(answer));
        match key.references.get(closest) {
            Some(reference) if is_latin(answer) && is_latin(&key.prepared.texts[closest]) => {
                let given = self.read(answer);
                let aligned = self.head.align(&reference.encoded, &given.encoded, &key.question.encoded);
                values.extend(aligned.values);
                values.extend(reference.senses.compare(&given.senses, &key.question.senses));
            }
            // The sentence model knows only words in Latin letters; elsewhere the letters must do.
            _ => values.extend([f32::NAN; align::NAMES.len() + sense::NAMES.len()]),
        }
        self.weights.bound(&mut values);
        (closest, values)
    }

    fn grade_now(&self, expected: &Expected<'_>, key: &Key, answer: &str) -> Graded {
        if !answer.chars().any(char::is_alphanumeric) {
            return Graded { grade: Grade { fraction: 0.0, confidence: 0.95 }, is_doubtful: false };
        }
        let (_, values) = self.measured(key, answer);
        let marks = expected.marks.unwrap_or(1.0);
        let doubt = self.doubt(&values, marks);
        let said = self.weights.mark(doubt, &values);
        let fraction = match doubt {
            Doubt::Rubric => self.by_rubric(&values),
            Doubt::ManyMarks | Doubt::VeryManyMarks if expected.rubric.is_none() => {
                LIFT + (1.0 - LIFT) * said.mark
            }
            _ => said.mark,
        };
        let (fraction, doubt) = match &key.prepared.counted {
            Some(counted) => {
                let found = counted.found(&Wording::of(answer), self.value(&values, "sentences_met"));
                // Less for an answer that is poor as a whole.
                (found * (COUNTED_KEPT + COUNTED_BY_MARK * fraction).min(1.0), Doubt::Rubric)
            }
            None => (fraction, doubt),
        };
        let certainty = self.weights.certainty(doubt, fraction, said, &values);
        Graded { grade: Grade { fraction, confidence: certainty.right }, is_doubtful: certainty.is_doubtful }
    }

    fn doubt(&self, values: &[f32], marks: f32) -> Doubt {
        if self.value(values, "is_rubric_only") > 0.0 {
            Doubt::Rubric
        } else if self.value(values, "net_score").is_nan() {
            Doubt::Unread
        } else if self.value(values, "is_foreign") > 0.0 {
            Doubt::Foreign
        } else if marks >= VERY_MANY_MARKS {
            Doubt::VeryManyMarks
        } else if marks >= MANY_MARKS {
            Doubt::ManyMarks
        } else if marks > 1.0 {
            Doubt::SeveralMarks
        } else if self.value(values, "reference_terms") >= REFERENCE_LONG {
            Doubt::Long
        } else {
            Doubt::Short
        }
    }

    /// Without a model answer only fullness, and shared letters and sense with the rubric can be seen: half the marks
    /// for an answer of about 20 telling words, more for a fuller one. Stated, not learned: no open data has such keys.
    fn by_rubric(&self, values: &[f32]) -> f32 {
        let fullness = self.value(values, "answer_terms") - 3.0;
        let shared = self.value(values, "letters_recall").sqrt() - 0.35;
        let sense = self.value(values, "sense_recall") - 0.28;
        let sense = if sense.is_nan() { 0.0 } else { sense };
        (0.5 + 0.15 * fullness + 0.5 * shared + 0.3 * sense).clamp(0.0, 1.0)
    }

    /// What a rubric that counts elements gives an answer by words alone; `None` for other keys.
    pub fn counted_share(&self, expected: &Expected<'_>, answer: &str) -> Option<f32> {
        let key = self.keys.or_make(&key_name(expected), || self.prepare(expected));
        key.prepared.counted.as_ref().map(|counted| counted.share(&Wording::of(answer)))
    }

    fn value(&self, values: &[f32], name: &str) -> f32 {
        self.names.iter().position(|known| known == name).map_or(0.0, |index| values[index])
    }

    /// One common word in common, or the opposite of a wanted word, is no evidence that a point was made: then
    /// the point is refused unless the sentence model, which reads the whole, is sure of it.
    fn without_chance_words(&self, key: &Key, answer: &str, score: f32) -> f32 {
        /// Below what the most lenient setting credits.
        const REFUSED: f32 = 0.3;
        /// What the sentence model must say (as log odds) to stand alone, and to stand against an opposite: the
        /// opposite of a word is found in the same places, so the model is easily taken in by it.
        const ALONE: f32 = 0.0;
        const AGAINST_OPPOSITE: f32 = 2.0;
        if score <= REFUSED {
            return score;
        }
        let (_, values) = self.measured(key, answer);
        let read = self.value(&values, "net_score");
        let needed = if self.value(&values, "opposites") > 0.0 {
            AGAINST_OPPOSITE
        } else if key.prepared.meets_by_chance(answer) {
            ALONE
        } else {
            return score;
        };
        // Where the sentence model cannot read the script, words are all there is.
        if read.is_nan() || read >= needed { score } else { REFUSED }
    }

    /// The judge of points knows English; other languages are judged by likeness, wording by wording.
    fn opinion(&self, question: &str, point: &PointText<'_>, answer: &str) -> Opinion {
        let wordings = wordings(point);
        let is_read = is_read(question, point, answer);
        let read = if is_read { self.joint.opinion(question, &wordings, answer) } else { None };
        read.unwrap_or_else(|| {
            let judged =
                wordings.iter().take(WORDINGS_MAX).map(|wording| self.judge(question, wording, answer));
            judged
                .max_by(|one, other| one.score.total_cmp(&other.score))
                .map(Opinion::from)
                .unwrap_or_default()
        })
    }

    /// The bytes of the answer that speak of the point: from the first to the last word that it shares with
    /// the point, or else that the sentence model finds nearest to it.
    fn evidence(&self, key: &Key, answer: &str) -> Option<Range<usize>> {
        key.prepared.shared_words(answer).or_else(|| self.nearest_words(key, answer))
    }

    fn nearest_words(&self, key: &Key, answer: &str) -> Option<Range<usize>> {
        /// A piece this close to the best one speaks of the point too.
        const NEARLY_BEST: f32 = 0.6;
        let reference = key.references.first()?;
        let encoded = &self.read(answer).encoded;
        let support = self.head.align(&reference.encoded, encoded, &key.question.encoded).piece_support;
        let inner = support.get(1..encoded.pieces.len() + 1)?;
        let most = inner.iter().copied().fold(0.0, f32::max);
        let speaks = |index: &usize| most > 0.0 && inner[*index] >= most * NEARLY_BEST;
        let first = (0..inner.len()).find(speaks)?;
        let last = (0..inner.len()).rev().find(speaks)?;
        Some(encoded.pieces[first].start..encoded.pieces[last].end)
    }
}

impl Judge for Semantic {
    fn judge(&self, question: &str, point: &str, answer: &str) -> Judgement {
        let references = [point];
        let expected =
            Expected { question, references: &references, marks: Some(1.0), ..Expected::default() };
        let graded = self.graded(&expected, answer);
        let key = self.keys.or_make(&key_name(&expected), || self.prepare(&expected));
        let score = self.without_chance_words(&key, answer, graded.grade.fraction);
        let evidence = if score >= 0.2 { self.evidence(&key, answer) } else { None };
        Judgement { score, confidence: score.max(1.0 - score), evidence }
    }

    fn reads_jointly(&self) -> bool {
        true
    }

    fn opinions(&self, question: &str, points: &[PointText<'_>], answer: &str) -> Vec<Opinion> {
        let mut opinions: Vec<Opinion> =
            points.iter().map(|point| self.opinion(question, point, answer)).collect();
        if let Some(counsel) = &self.counsel {
            let spelt = |at: &usize| is_latin(answer) && is_latin(points[*at].text);
            let spelt: Vec<usize> = (0..points.len()).filter(spelt).collect();
            let asked: Vec<Vec<&str>> = spelt.iter().map(|&at| wordings(&points[at])).collect();
            for (&at, said) in spelt.iter().zip(counsel.verdicts(question, &asked, answer)) {
                let Some(said) = said else { continue };
                let own = &opinions[at];
                let own = [own.credited, own.vague, own.contradicted, own.missing];
                let is_read = is_read(question, &points[at], answer);
                let [credited, vague, contradicted, missing] =
                    if is_read { together(own, said) } else { said };
                let evidence = opinions[at].evidence.take();
                opinions[at] = Opinion { credited, vague, contradicted, missing, evidence };
            }
        }
        opinions
    }

    fn grade(&self, expected: &Expected<'_>, answer: &str) -> Grade {
        self.graded(expected, answer).grade
    }

    fn direction(&self, text: &str) -> Vec<f32> {
        Semantic::direction(self, text)
    }

    fn models(&self) -> Vec<ModelIdentity> {
        let points = ModelIdentity { name: POINTS.into(), checksum: self.joint.checksum().to_owned() };
        let meaning = ModelIdentity { name: MEANING.into(), checksum: self.checksum.clone() };
        let counsel = self.counsel.as_ref().map(Asked::identity);
        [meaning, points].into_iter().chain(counsel).collect()
    }
}

/// Every way in which a point is worded.
fn wordings<'p>(point: &PointText<'p>) -> Vec<&'p str> {
    std::iter::once(point.text).chain(point.others.iter().map(String::as_str)).collect()
}

/// Whether the judge of points knows the language of all this.
fn is_read(question: &str, point: &PointText<'_>, answer: &str) -> bool {
    let texts: Vec<String> = wordings(point).into_iter().map(str::to_owned).collect();
    is_latin(answer) && is_latin(point.text) && !is_foreign(question, &texts)
}

/// The names of everything that is measured, in order.
fn all_names() -> Vec<String> {
    let read = align::NAMES.iter().chain(&sense::NAMES).map(ToString::to_string);
    expected::names().into_iter().chain(read).collect()
}

fn key_name(expected: &Expected<'_>) -> String {
    let mut name = format!("{}\u{1f}{:?}{}", expected.question, expected.marks, expected.is_content);
    let rubric = expected.rubric.map(|rubric| rubric.text.as_str());
    for text in expected.references.iter().chain(&rubric) {
        name.push('\u{1f}');
        name.push_str(text);
    }
    // A rubric and a last model answer of the same words are different keys.
    name.push(if expected.rubric.is_some() { 'r' } else { '-' });
    name
}

/// True when most letters are Latin, or when there are none.
fn is_latin(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (latin, all) = letters
        .fold((0usize, 0usize), |(latin, all), c| (latin + usize::from(u32::from(c) < 0x250), all + 1));
    latin * 2 >= all
}
