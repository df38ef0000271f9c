//! What was read of papers and schemes, as JSON for other programs: `cargo run -p exam --example dump_reading --
//! PAIRS OUT`. For every folder of PAIRS (paper.pdf, scheme.pdf) the questions with their keys go to OUT/NAME.json.

use reader::ocr::{Recogniser, Weights};
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folders: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let [pairs, out] = folders.as_slice() else { return Err("which pairs, and where to?".into()) };
    let recogniser = Recogniser::load(&Weights::default(), 1)?;
    std::fs::create_dir_all(out)?;
    for entry in std::fs::read_dir(pairs)? {
        let folder = entry?.path();
        if folder.join("scheme.pdf").exists() {
            let (read, _) = exam::eval::reading(&folder, Some(&recogniser))?;
            let name = folder.file_name().unwrap_or_default();
            let file = out.join(name).with_extension("json");
            std::fs::write(file, serde_json::to_vec_pretty(&read.questions)?)?;
        }
    }
    Ok(())
}
