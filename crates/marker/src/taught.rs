//! Learning from a person's marks: answers to one part that a person has marked say how the others should be.
//!
//! What is learned is how far the person's mark lies from the engine's own: in general (an offset), by how good the
//! engine found the answer (a slope), and by what the answer says (answers that are alike in meaning or in letters, or
//! that make the same points, are marked alike). It is a Gaussian process, so there is nothing to tune for a question, few marks already help, and
//! where nothing was taught the engine's mark stands. It is exact: the same marks give the same lesson, in whatever
//! order they were given.

use std::cmp::Ordering;

/// Marks of one part that a lesson is made from at most; the cost grows with the cube of their number.
pub const EXAMPLES_MAX: usize = 120;
// How much of the difference between a person's marks and the engine's each thing explains, beside what is chance: a
// few marks of one question say little about an offset or a slope, and much about answers that mean the same. Chosen on
// four sets of answers, and no worse than the engine's own marks on two others from the first mark on.
const OFFSET: f64 = 0.01;
const SLOPE: f64 = 0.03;
const MEANING: f64 = 0.13;
const LETTERS: f64 = 0.04;
const POINTS: f64 = 0.03;
/// What a person's mark may differ by on answers that look the same.
const NOISE: f64 = 0.051;
/// As much more as if so many marks had to speak against the engine before one is believed as it is.
const RESERVE: f64 = 5.0;

/// How far the engine's mark is moved towards the share of the points that an answer likely makes, once this many marks
/// were given: a verdict is one or nothing, its likelihood tells answers apart that came to the same mark.
const MOVED: f64 = 0.1;
const MOVED_AFTER: f64 = 10.0;

/// What marks may differ by that so many were given.
fn noise(count: usize) -> f64 {
    NOISE * (1.0 + RESERVE / count.max(1) as f64)
}
/// Letters that are looked at; no longer answer is alike by its spelling.
const LETTERS_MAX: usize = 2000;
/// The shortest and the longest run of letters that two answers can share.
const GRAMS: std::ops::RangeInclusive<usize> = 3..=5;

/// An answer as learning sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trait {
    /// The engine's own mark, as a share of the marks.
    pub mark: f64,
    /// What it means, as a direction of length one; empty where that is not known.
    pub meaning: Vec<f32>,
    /// How likely it makes each point of the key, 0 to 1; empty where it was not marked by points.
    pub points: Vec<f32>,
    /// Its runs of letters, each by its hash with its weight, by hash; the weights have length one.
    pub letters: Vec<(u32, f32)>,
}

impl Trait {
    /// The traits of an answer that the engine gave this share of the marks.
    pub fn of(answer: &str, mark: f64, Kept { meaning, points }: Kept) -> Trait {
        Trait { mark, meaning, points, letters: letters(answer) }
    }

    /// The engine's mark, moved so far towards the share of the points that the answer likely makes.
    fn moved(&self, by: f64) -> f64 {
        if self.points.is_empty() {
            return self.mark;
        }
        let made = self.points.iter().map(|point| f64::from(*point)).sum::<f64>() / self.points.len() as f64;
        self.mark + by * (made - self.mark)
    }

    /// How far two answers make the same points, -1 to 1; nothing is known of answers to another key.
    fn made_alike(&self, other: &Trait) -> f64 {
        if self.points.is_empty() || self.points.len() != other.points.len() {
            return 0.0;
        }
        let turned = |point: &f32| 2.0 * f64::from(*point) - 1.0;
        let both = self.points.iter().zip(&other.points).map(|(own, also)| turned(own) * turned(also));
        both.sum::<f64>() / self.points.len() as f64
    }

    /// How alike two answers are in meaning, 0 to 1.
    fn meant_alike(&self, other: &Trait) -> f64 {
        let meaning: f64 =
            self.meaning.iter().zip(&other.meaning).map(|(one, other)| f64::from(one * other)).sum();
        meaning.clamp(0.0, 1.0).powi(4)
    }

    /// How alike two answers are for a marker, 2 for the same.
    fn likeness(&self, other: &Trait) -> f64 {
        self.meant_alike(other) + shared(&self.letters, &other.letters)
    }

    /// How much a mark of the one says about the mark of the other.
    fn covariance(&self, other: &Trait) -> f64 {
        let letters = shared(&self.letters, &other.letters);
        // Where nobody knows what either means, their letters stand for it.
        let is_unknown = self.meaning.is_empty() && other.meaning.is_empty();
        let meant = if is_unknown { letters } else { self.meant_alike(other) };
        OFFSET
            + SLOPE * self.mark * other.mark
            + MEANING * meant
            + LETTERS * letters
            + POINTS * self.made_alike(other)
    }

    /// An order that depends on what the answers are and not on when they came.
    fn order(&self, other: &Trait) -> Ordering {
        let numbers = |one: &[f32], other: &[f32]| {
            let both = one.iter().zip(other).map(|(one, other)| one.total_cmp(other));
            both.fold(Ordering::Equal, Ordering::then)
        };
        let letters = |own: &Trait| own.letters.iter().map(|(hash, _)| *hash).collect::<Vec<u32>>();
        self.mark
            .total_cmp(&other.mark)
            .then_with(|| numbers(&self.meaning, &other.meaning))
            .then_with(|| numbers(&self.points, &other.points))
            .then_with(|| letters(self).cmp(&letters(other)))
    }
}

/// What a person taught about one part.
#[derive(Clone, Debug)]
pub struct Lesson {
    examples: Vec<(Trait, f64)>,
    weights: Vec<f64>,
    /// How far the engine's marks are moved.
    moved: f64,
}

impl Lesson {
    /// Learns from answers with the share of the marks that a person gave each; the first [`EXAMPLES_MAX`] in their own
    /// order are taken. `None` without any.
    pub fn of(examples: impl IntoIterator<Item = (Trait, f64)>) -> Option<Lesson> {
        let mut examples: Vec<(Trait, f64)> = examples.into_iter().collect();
        examples.sort_by(|(one, given), (other, also)| one.order(other).then(given.total_cmp(also)));
        if examples.len() > EXAMPLES_MAX {
            // Spread over all of them, so that no kind of answer is left out.
            let count = examples.len();
            let kept =
                (0..EXAMPLES_MAX).map(|place| examples[place * count / EXAMPLES_MAX].clone()).collect();
            examples = kept;
        }
        if examples.is_empty() {
            return None;
        }
        let size = examples.len();
        let noise = noise(size);
        let mut matrix = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                let value = examples[row].0.covariance(&examples[column].0);
                matrix[row * size + column] = value + if row == column { noise } else { 0.0 };
            }
        }
        let moved = MOVED * (size as f64 / MOVED_AFTER).min(1.0);
        let off: Vec<f64> = examples.iter().map(|(own, given)| given - own.moved(moved)).collect();
        let weights = solve(matrix, &off)?;
        Some(Lesson { examples, weights, moved })
    }

    /// The share of the marks that an answer should get, 0 to 1.
    pub fn mark(&self, answer: &Trait) -> f64 {
        let learned =
            self.examples.iter().zip(&self.weights).map(|((own, _), weight)| weight * answer.covariance(own));
        let mark = answer.moved(self.moved) + learned.sum::<f64>();
        if mark.is_nan() { answer.mark } else { mark.clamp(0.0, 1.0) }
    }

    /// The taught answer that is most alike, with the share that a person gave it, where one is really alike.
    pub fn closest(&self, answer: &Trait) -> Option<(&Trait, f64)> {
        /// Answers that share less are not called alike.
        const ALIKE: f64 = 0.6;
        let alike = self.examples.iter().map(|(own, given)| (own.likeness(answer), own, *given));
        let best = alike.max_by(|one, other| one.0.total_cmp(&other.0))?;
        (best.0 >= ALIKE).then_some((best.1, best.2))
    }

    /// How many marks it was made from.
    pub fn examples(&self) -> usize {
        self.examples.len()
    }
}

/// Of answers that nobody has marked, those whose marks would say most about all the others, beside the ones that are
/// marked: best first, by their places. Answers that many others are like come before odd ones, which teach less than
/// answers drawn at random.
pub fn most_telling(marked: &[Trait], asked: &[Trait], count: usize) -> Vec<usize> {
    let mut marked: Vec<&Trait> = marked.iter().collect();
    marked.sort_by(|one, other| one.order(other));
    marked.truncate(EXAMPLES_MAX);
    let all: Vec<&Trait> = marked.iter().copied().chain(asked).collect();
    let mut common = Common::of(&all);
    (0..marked.len()).for_each(|place| common.take_in(place));
    let mut left: Vec<usize> = (marked.len()..all.len()).collect();
    let mut chosen = Vec::new();
    while chosen.len() < count {
        let worth = left.iter().map(|place| common.worth(*place, &left));
        let best = worth.enumerate().max_by(|one, other| one.1.total_cmp(&other.1).then(other.0.cmp(&one.0)));
        let Some((index, _)) = best else { break };
        let place = left.remove(index);
        common.take_in(place);
        chosen.push(place - marked.len());
    }
    chosen
}

/// What the marks of any two answers still have in common, beyond what the marks that are known say about both.
struct Common {
    values: Vec<f64>,
    size: usize,
}

impl Common {
    fn of(answers: &[&Trait]) -> Common {
        let rows = answers.iter().flat_map(|one| answers.iter().map(|other| one.covariance(other)));
        Common { values: rows.collect(), size: answers.len() }
    }

    fn row(&self, place: usize) -> &[f64] {
        &self.values[place * self.size..(place + 1) * self.size]
    }

    /// How much less there is to be known about the answers that are left once this one's mark is known.
    fn worth(&self, place: usize, left: &[usize]) -> f64 {
        let row = self.row(place);
        left.iter().map(|other| row[*other].powi(2)).sum::<f64>() / (row[place] + NOISE)
    }

    /// From now on the mark of this one is known.
    fn take_in(&mut self, place: usize) {
        let known = self.row(place).to_vec();
        let whole = known[place] + NOISE;
        for (row, own) in self.values.chunks_exact_mut(self.size).zip(&known) {
            for (value, other) in row.iter_mut().zip(&known) {
                *value -= own * other / whole;
            }
        }
    }
}

/// What is kept of an answer, to learn from it and to find others like it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// What it means, as a direction of length one; empty where that is not known.
    pub meaning: Vec<f32>,
    /// How likely it makes each point of the key, 0 to 1, or how much of it; empty where it was not marked by points.
    pub points: Vec<f32>,
}

/// Points of one key of which it is kept whether an answer makes them.
const POINTS_MAX: usize = 64;
/// Stands between the meaning and the points.
const BEFORE_POINTS: char = '.';

impl Kept {
    /// In a few bytes: two hexadecimal digits for each number. Empty where nothing is known.
    pub fn pack(&self) -> String {
        let longest = self.meaning.iter().fold(0.0_f32, |longest, value| longest.max(value.abs()));
        let mut packed = if longest == 0.0 || !longest.is_finite() {
            String::new()
        } else {
            let bytes = self.meaning.iter().map(|value| (value / longest * 127.0).round() as i8);
            domain::text::hex(&bytes.map(i8::cast_unsigned).collect::<Vec<u8>>())
        };
        if (1..=POINTS_MAX).contains(&self.points.len()) {
            let bytes = self.points.iter().map(|point| (point.clamp(0.0, 1.0) * 255.0).round() as u8);
            packed.push(BEFORE_POINTS);
            packed.push_str(&domain::text::hex(&bytes.collect::<Vec<u8>>()));
        }
        packed
    }

    /// What was packed; what cannot have been is not known.
    pub fn unpack(packed: &str) -> Kept {
        let (meaning, points) = packed.split_once(BEFORE_POINTS).unwrap_or((packed, ""));
        let values: Vec<f32> = bytes(meaning).map(|byte| f32::from(byte.cast_signed())).collect();
        let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        let meaning =
            if length == 0.0 { Vec::new() } else { values.iter().map(|value| value / length).collect() };
        Kept { meaning, points: bytes(points).map(|byte| f32::from(byte) / 255.0).collect() }
    }
}

/// The bytes that hexadecimal digits stand for; none for anything else.
fn bytes(digits: &str) -> impl Iterator<Item = u8> {
    let digits: Option<Vec<u32>> = digits.chars().map(|digit| digit.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2)).unwrap_or_default();
    digits.chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect::<Vec<u8>>().into_iter()
}

/// Solves `matrix · x = right` by Cholesky; only the lower half of the matrix is looked at. `None` when it is not
/// positive definite, which the noise rules out for numbers that are numbers.
fn solve(mut matrix: Vec<f64>, right: &[f64]) -> Option<Vec<f64>> {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let before: f64 = (0..column).map(|k| matrix[row * size + k] * matrix[column * size + k]).sum();
            let left = matrix[row * size + column] - before;
            matrix[row * size + column] = if row == column {
                if left.is_nan() || left <= 0.0 {
                    return None;
                }
                left.sqrt()
            } else {
                left / matrix[column * size + column]
            };
        }
    }
    let mut solved = right.to_vec();
    for row in 0..size {
        let before: f64 = (0..row).map(|k| matrix[row * size + k] * solved[k]).sum();
        solved[row] = (solved[row] - before) / matrix[row * size + row];
    }
    for row in (0..size).rev() {
        let after: f64 = (row + 1..size).map(|k| matrix[k * size + row] * solved[k]).sum();
        solved[row] = (solved[row] - after) / matrix[row * size + row];
    }
    Some(solved)
}

/// The runs of letters of a text, with length one.
fn letters(text: &str) -> Vec<(u32, f32)> {
    let mut line: Vec<char> = vec![' '];
    for word in text.split_whitespace() {
        line.extend(word.chars().flat_map(char::to_lowercase));
        line.push(' ');
        if line.len() > LETTERS_MAX {
            break;
        }
    }
    line.truncate(LETTERS_MAX);
    let mut hashes: Vec<u32> =
        GRAMS.flat_map(|length| line.windows(length).map(hash).collect::<Vec<u32>>()).collect();
    hashes.sort_unstable();
    let counted = hashes.chunk_by(|one, other| one == other);
    let mut weighed: Vec<(u32, f32)> =
        counted.map(|same| (same[0], 1.0 + (same.len() as f32).ln())).collect();
    let length = weighed.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt();
    weighed.iter_mut().for_each(|(_, weight)| *weight /= length.max(f32::MIN_POSITIVE));
    weighed
}

/// FNV-1a over the characters: the same on every machine and in every version.
fn hash(run: &[char]) -> u32 {
    run.iter().fold(0x811c_9dc5, |hash, letter| (hash ^ u32::from(*letter)).wrapping_mul(0x0100_0193))
}

/// The cosine of two texts' runs of letters.
fn shared(one: &[(u32, f32)], other: &[(u32, f32)]) -> f64 {
    let (mut at, mut sum) = (0, 0.0);
    for (hash, weight) in one {
        while other.get(at).is_some_and(|(own, _)| own < hash) {
            at += 1;
        }
        if let Some((_, also)) = other.get(at).filter(|(own, _)| own == hash) {
            sum += f64::from(weight * also);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seen(answer: &str, mark: f64) -> Trait {
        Trait::of(answer, mark, Kept::default())
    }

    #[test]
    fn like_answers_follow_and_others_hardly() {
        let examples = [("the rate falls", 1.0), ("it gets warmer", 0.0), ("plants need light", 0.0)];
        let lesson = Lesson::of(examples.map(|(answer, given)| (seen(answer, 0.5), given))).unwrap();
        let like = lesson.mark(&seen("The rate falls.", 0.5));
        let other = lesson.mark(&seen("it gets much warmer", 0.5));
        assert!(like > 0.7 && other < 0.4, "{like} {other}");
        let (closest, given) = lesson.closest(&seen("the rate falls", 0.5)).unwrap();
        assert_eq!((closest, given), (&seen("the rate falls", 0.5), 1.0));
        assert!(lesson.closest(&seen("mitochondria", 0.5)).is_none());
        assert!(Lesson::of([]).is_none());
    }

    #[test]
    fn what_many_answers_are_like_teaches_most_and_what_is_known_teaches_nothing() {
        let asked = ["the rate falls", "the rate falls a lot", "the rate falls then", "purple"]
            .map(|text| seen(text, 0.5));
        assert!(most_telling(&[], &asked, 1)[0] < 3, "an odd answer says nothing about the rest");
        let known = [
            seen("the rate falls", 0.5),
            seen("the rate falls a lot", 0.5),
            seen("the rate falls then", 0.5),
        ];
        assert_eq!(most_telling(&known, &asked, 1), [3], "the rest is known");
        assert_eq!(most_telling(&[], &asked, 9).len(), 4);
        assert!(most_telling(&[], &[], 9).is_empty());
    }

    #[test]
    fn what_is_packed_is_nearly_the_same() {
        let meaning: Vec<f32> = (0..128).map(|place| ((place * 37 % 101) as f32 - 50.0) / 330.0).collect();
        let kept = Kept { meaning: meaning.clone(), points: vec![1.0, 0.0, 0.5] };
        let again = Kept::unpack(&kept.pack());
        let length = meaning.iter().map(|value| value * value).sum::<f32>().sqrt();
        let cosine: f32 = meaning.iter().zip(&again.meaning).map(|(one, other)| one * other / length).sum();
        assert!(cosine > 0.999, "{cosine}");
        assert!(again.points.iter().zip(&kept.points).all(|(one, other)| (one - other).abs() < 0.01));
        assert_eq!(again.pack(), kept.pack(), "packing what was packed changes nothing");
        assert!(Kept::default().pack().is_empty());
        assert!(Kept { meaning: vec![f32::NAN], points: Vec::new() }.pack().is_empty());
        for nothing in ["", "zz", "0", "00", ".", "00.", ".0", ".zz"] {
            assert_eq!(Kept::unpack(nothing), Kept::default(), "{nothing}");
        }
        let before_points_were_kept = Kept { points: Vec::new(), ..kept };
        assert_eq!(Kept::unpack(&before_points_were_kept.pack()).points, Vec::<f32>::new());
    }

    #[test]
    fn who_makes_the_same_points_is_marked_alike() {
        let made = |answer: &str, points: [f32; 2]| {
            Trait::of(answer, 0.5, Kept { meaning: Vec::new(), points: points.to_vec() })
        };
        // The person does not take the second point as it was made.
        let taught = [made("qqq", [1.0, 0.0]), made("www", [0.0, 1.0]), made("zzz", [0.0, 1.0])];
        let lesson = Lesson::of(taught.into_iter().zip([0.5, 0.0, 0.0])).unwrap();
        let (first, second) = (lesson.mark(&made("kkk", [1.0, 0.0])), lesson.mark(&made("kkk", [0.0, 1.0])));
        assert!(first > second + 0.02, "{first} {second}");
        let other_key = Kept { meaning: Vec::new(), points: vec![1.0; 3] };
        assert_eq!(made("a", [1.0, 1.0]).made_alike(&Trait::of("a", 0.5, other_key)), 0.0);
    }

    #[test]
    fn likelihoods_tell_answers_of_the_same_mark_apart() {
        let likely = |point: f32| Kept { meaning: Vec::new(), points: vec![point] };
        let taught = (0..10).map(|place| (Trait::of(&format!("q{place}"), 0.5, likely(0.5)), 0.5));
        let lesson = Lesson::of(taught).unwrap();
        let mark = |point: f32| lesson.mark(&Trait::of("zzzz", 0.5, likely(point)));
        assert!(mark(0.9) > mark(0.5) && mark(0.5) > mark(0.1));
        assert!((mark(0.9) - 0.54).abs() < 0.01, "{}", mark(0.9));
    }

    #[test]
    fn a_teacher_who_agrees_changes_little() {
        let agreed =
            [("a", 0.0), ("bb b", 0.5), ("ccc c", 1.0)].map(|(answer, mark)| (seen(answer, mark), mark));
        let lesson = Lesson::of(agreed).unwrap();
        for mark in [0.0, 0.25, 1.0] {
            assert!((lesson.mark(&seen("dddd", mark)) - mark).abs() < 1e-9);
        }
    }

    proptest! {
        #[test]
        fn a_lesson_knows_no_order_and_stays_within_the_marks(
            taught in prop::collection::vec(("[a-e ]{0,12}", 0..5_u8, 0..5_u8), 1..20),
            asked in "[a-e ]{0,12}", own in 0..5_u8, turn in 0..20_usize,
        ) {
            let share = |quarters: u8| f64::from(quarters) / 4.0;
            let mut examples: Vec<(Trait, f64)> =
                taught.iter().map(|(answer, mark, given)| (seen(answer, share(*mark)), share(*given))).collect();
            let forth = Lesson::of(examples.clone()).unwrap();
            let turn = turn % examples.len();
            examples.rotate_left(turn);
            examples.reverse();
            let back = Lesson::of(examples).unwrap();
            let answer = seen(&asked, share(own));
            prop_assert_eq!(forth.mark(&answer), back.mark(&answer));
            prop_assert!((0.0..=1.0).contains(&forth.mark(&answer)));
        }
    }
}
