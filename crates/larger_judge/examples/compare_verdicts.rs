//! Holds the judge's verdicts against those of the program that taught it.
//!
//!     cargo run --release -p larger_judge --example compare_verdicts -- MODEL.gguf PAIRS.json
//!
//! PAIRS is a list of `{"q": question, "p": point, "acc": [other wordings], "a": answer, "y": [four probabilities]}`.

use larger_judge::LargerJudge;
use serde_json::Value;
use std::error::Error;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout();
    let mut arguments = std::env::args().skip(1);
    let (Some(model), Some(pairs)) = (arguments.next(), arguments.next()) else {
        return Err("Give the model's file and a file of pairs.".into());
    };
    let began = Instant::now();
    let judge = LargerJudge::open(Path::new(&model))?;
    writeln!(out, "loaded in {:.1?}", began.elapsed())?;
    let pairs: Vec<Value> = serde_json::from_slice(&std::fs::read(pairs)?)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (mut most, mut sum) = (0.0f64, 0.0f64);
    let began = Instant::now();
    for pair in &pairs {
        let wordings: Vec<String> = std::iter::once(&pair["p"])
            .chain(pair["acc"].as_array().into_iter().flatten())
            .map(text)
            .collect();
        let wordings = vec![wordings.iter().map(String::as_str).collect()];
        let said = judge.verdicts(&text(&pair["q"]), &wordings, &text(&pair["a"]))[0];
        let expected = pair["y"][0].as_f64().unwrap_or_default();
        let off = (f64::from(said.credited) - expected).abs();
        writeln!(out, "{:.3} here, {expected:.3} there", said.credited)?;
        (most, sum) = (most.max(off), sum + off);
    }
    let count = pairs.len().max(1) as f64;
    writeln!(
        out,
        "{:.2} s a pair; off by {:.4} on average, {most:.4} at most",
        began.elapsed().as_secs_f64() / count,
        sum / count
    )?;
    Ok(())
}
