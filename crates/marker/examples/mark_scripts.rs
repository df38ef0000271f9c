//! Marks typed scripts again and again while rules change: `cargo run -p marker --example mark_scripts -- QUESTIONS
//! POINTS MEMORY [--known OPEN] [--misses] [--predictions OUT]`.
//!
//! QUESTIONS holds what `dump_reading` of `exam` wrote, POINTS is as `tickmark eval scripts` wants it. What the judge of
//! meaning says is kept in the file MEMORY, so that only what it was never asked costs time; with `--known` it is
//! not asked about points: what it was never asked counts as not said and is written to the file OPEN, a line each, so
//! that another judge can be asked elsewhere.

use marker::Builtin;
use marker::eval::scripts::{self, Score};
use marker::meaning::{Expected, Grade, Judge, Judgement, Opinion, PointText, Semantic};
use marker::outcome::ModelIdentity;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let lists_misses = arguments.iter().any(|argument| argument == "--misses");
    arguments.retain(|argument| argument != "--misses");
    let mut predictions = file_after(&mut arguments, "--predictions")?;
    let open = file_after(&mut arguments, "--known")?;
    let paths: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
    let [questions, points, memory] = paths.as_slice() else {
        return Err("questions, points, memory?".into());
    };
    let engine = Builtin::new(Arc::new(Remembering::new(memory, open)?));
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(points)?.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    let mut answers = Vec::new();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default();
        let read = std::fs::read(questions.join(name).with_extension("json"))?;
        let read: Vec<domain::question::Question> = serde_json::from_slice(&read)?;
        for script in scripts::read(&folder)? {
            answers.extend(scripts::mark(&engine, &read, &script, exam::eval::identity, exam::key::typed)?);
        }
    }
    if let Some(file) = &mut predictions {
        for answer in &answers {
            writeln!(file, "{}", serde_json::to_string(answer)?)?;
        }
    }
    let all = vec![Score::of("all", &answers.iter().collect::<Vec<_>>())];
    let scores =
        [Score::each(&answers, |one| &one.exam), Score::each(&answers, |one| &one.student), all].concat();
    let mut text = scripts::table(&scores);
    if lists_misses {
        text.push_str(&scripts::misses(&answers));
    }
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// The file named after an option, made anew.
fn file_after(arguments: &mut Vec<String>, option: &str) -> Result<Option<File>, Box<dyn Error>> {
    let Some(at) = arguments.iter().position(|argument| argument == option) else { return Ok(None) };
    let path = arguments.get(at + 1).ok_or_else(|| format!("{option} needs a file"))?;
    let file = File::create(path)?;
    arguments.drain(at..at + 2);
    Ok(Some(file))
}

/// The judge of meaning, asked only what is not in its file yet.
struct Remembering {
    judge: LazyLock<Semantic>,
    /// Where questions go that are not to be answered here.
    open: Option<Mutex<File>>,
    known: Mutex<(HashMap<String, Value>, File)>,
}

impl Remembering {
    fn new(path: &PathBuf, open: Option<File>) -> Result<Remembering, Box<dyn Error>> {
        let file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
        let mut known = HashMap::new();
        for line in BufReader::new(File::open(path)?).lines() {
            let (asked, said): (String, Value) = serde_json::from_str(&line?)?;
            known.insert(asked, said);
        }
        let load: fn() -> Semantic = || Semantic::load().expect("the embedded judge loads");
        let open = open.map(Mutex::new);
        Ok(Remembering { judge: LazyLock::new(load), open, known: Mutex::new((known, file)) })
    }

    fn knows(&self, asked: &impl serde::Serialize) -> bool {
        let asked = serde_json::to_string(asked).expect("texts are JSON");
        self.known.lock().unwrap_or_else(PoisonError::into_inner).0.contains_key(&asked)
    }

    fn or_ask(&self, asked: &impl serde::Serialize, ask: impl FnOnce() -> Value) -> Value {
        let asked = serde_json::to_string(asked).expect("texts are JSON");
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(said) = known().0.get(&asked) {
            return said.clone();
        }
        let said = ask();
        let line = serde_json::to_string(&(&asked, &said)).expect("texts are JSON");
        let mut known = known();
        writeln!(known.1, "{line}").expect("the memory's file can be written");
        known.0.insert(asked, said.clone());
        said
    }
}

fn number(value: &Value) -> f32 {
    value.as_f64().unwrap_or_default() as f32
}

fn span(value: &Value) -> Option<std::ops::Range<usize>> {
    Some(value.get(0)?.as_u64()? as usize..value.get(1)?.as_u64()? as usize)
}

impl Judge for Remembering {
    fn judge(&self, question: &str, point: &str, answer: &str) -> Judgement {
        let said = self.or_ask(&("judge", question, point, answer), || {
            let said = self.judge.judge(question, point, answer);
            json!([said.score, said.confidence, said.evidence.map(|span| [span.start, span.end])])
        });
        Judgement { score: number(&said[0]), confidence: number(&said[1]), evidence: span(&said[2]) }
    }

    fn reads_jointly(&self) -> bool {
        true
    }

    fn opinions(&self, question: &str, points: &[PointText<'_>], answer: &str) -> Vec<Opinion> {
        let one = |point: &PointText<'_>| {
            let asked = ("opinion", question, point.text, point.others, answer);
            if let Some(open) = &self.open
                && !self.knows(&asked)
            {
                let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
                let asked = serde_json::to_string(&asked).expect("texts are JSON");
                writeln!(open, "{asked}").expect("what is open can be written");
                return Opinion { missing: 1.0, ..Opinion::default() };
            }
            let said = self.or_ask(&asked, || {
                let said = self.judge.opinions(question, &[*point], answer).remove(0);
                let span = said.evidence.map(|span| [span.start, span.end]);
                json!([said.credited, said.vague, said.contradicted, said.missing, span])
            });
            let [credited, vague, contradicted, missing] = [0, 1, 2, 3].map(|at| number(&said[at]));
            Opinion { credited, vague, contradicted, missing, evidence: span(&said[4]) }
        };
        points.iter().map(one).collect()
    }

    fn grade(&self, expected: &Expected<'_>, answer: &str) -> Grade {
        let rubric = expected.rubric.map(|rubric| rubric.text.as_str());
        let asked = ("grade", expected.question, expected.references, rubric, expected.marks);
        let said = self.or_ask(&(asked, expected.is_content, answer), || {
            let said = self.judge.grade(expected, answer);
            json!([said.fraction, said.confidence])
        });
        Grade { fraction: number(&said[0]), confidence: number(&said[1]) }
    }

    fn models(&self) -> Vec<ModelIdentity> {
        self.judge.models()
    }
}
