//! The documents tell the truth: their commands exist and those marked `sh run` work, their settings and metrics are
//! there, their links lead somewhere.

use crate::doctor::assert_settings_exist;
use crate::process::{Place, Server};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Options before the command that take a value.
const GLOBAL_WITH_VALUE: [&str; 3] = ["--data", "--database", "--config"];
/// What blocks of shell commands are called: shown only, run one after the other, or run by the test of that name.
const KINDS: [&str; 4] = ["sh", "sh run", "sh backup", "sh restore"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// One Markdown file.
pub(crate) struct Document {
    path: PathBuf,
    text: String,
}

/// A piece of code in it, with what stands behind the opening fence.
struct Block {
    info: String,
    text: String,
}

impl Document {
    pub(crate) fn read(name: &str) -> Document {
        let path = root().join(name);
        Document { text: std::fs::read_to_string(&path).unwrap(), path }
    }

    fn all() -> Vec<Document> {
        let names = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned);
        let mut documents: Vec<Document> = names.iter().map(|name| Document::read(name)).collect();
        for folder in ["docs", "docs/decisions"] {
            for entry in std::fs::read_dir(root().join(folder)).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|extension| extension == "md") {
                    documents.push(Document { text: std::fs::read_to_string(&path).unwrap(), path });
                }
            }
        }
        documents
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut is_open = false;
        for line in self.text.lines() {
            match line.strip_prefix("```") {
                Some(_) if is_open => is_open = false,
                Some(info) => {
                    blocks.push(Block { info: info.to_owned(), text: String::new() });
                    is_open = true;
                }
                None if is_open => {
                    let text = &mut blocks.last_mut().unwrap().text;
                    text.push_str(line);
                    text.push('\n');
                }
                None => {}
            }
        }
        blocks
    }

    /// The commands of the block that is called so.
    pub(crate) fn commands(&self, info: &str) -> String {
        let blocks = self.blocks().into_iter().filter(|block| block.info == info);
        let text: String = blocks.map(|block| block.text).collect();
        assert!(!text.is_empty(), "{} has no block {info}", self.path.display());
        text
    }

    /// Every line of code: of blocks, indented, or within a sentence.
    fn code(&self) -> Vec<String> {
        let mut code: Vec<String> =
            self.blocks().iter().flat_map(|block| block.text.lines()).map(str::to_owned).collect();
        code.extend(self.text.lines().filter_map(|line| line.strip_prefix("    ")).map(str::to_owned));
        for line in self.text.lines().filter(|line| !line.starts_with("```")) {
            code.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
        code
    }
}

/// The commands of the program that a line of code holds.
fn calls(line: &str) -> Vec<String> {
    let line = line.trim().replace("cargo run --release -- ", "tickmark ");
    let line = line.split("   ").next().unwrap_or_default();
    let pieces =
        line.split(['(', ';', '>']).flat_map(|piece| piece.split("&&")).flat_map(|piece| piece.split(" | "));
    let pieces =
        pieces.map(|piece| piece.split(" #").next().unwrap_or_default().trim_end_matches(')').trim());
    pieces.filter_map(|piece| piece.strip_prefix("tickmark ")).map(str::to_owned).collect()
}

/// The names of a command, each of several where it says `a|b`, and the options given to it.
fn parsed(call: &str) -> (Vec<Vec<String>>, Vec<String>) {
    let (mut names, mut options): (Vec<Vec<String>>, Vec<String>) = (Vec::new(), Vec::new());
    let mut words = call.split_whitespace();
    let mut is_over = false;
    while let Some(word) = words.next() {
        let word = word.trim_matches(['[', ']', '`', ',', '\'', '"']);
        if word.starts_with("--") {
            options.push(word.split('=').next().unwrap_or_default().to_owned());
            if names.is_empty() && GLOBAL_WITH_VALUE.contains(&word) {
                words.next();
            }
            is_over = !names.is_empty();
        } else if !is_over && names.len() < 2 {
            let is_name =
                |name: &str| name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
            let alternatives: Vec<String> = word.split('|').map(str::to_owned).collect();
            is_over = !alternatives.iter().all(|name| is_name(name) && !name.is_empty());
            if !is_over {
                names.push(alternatives);
            }
        }
    }
    let mut paths = vec![Vec::new()];
    for alternatives in names {
        paths = paths
            .iter()
            .flat_map(|path: &Vec<String>| {
                alternatives.iter().map(move |name| path.iter().chain([name]).cloned().collect())
            })
            .collect();
    }
    (paths, options)
}

#[test]
fn every_command_in_the_documents_exists_with_its_options() {
    let place = Place::sqlite();
    let mut helps: HashMap<Vec<String>, String> = HashMap::new();
    let mut checked = 0;
    for document in Document::all() {
        for call in document.code().iter().flat_map(|line| calls(line)) {
            let (paths, options) = parsed(&call);
            for path in paths {
                let help = helps.entry(path.clone()).or_insert_with(|| {
                    let mut arguments: Vec<&str> = path.iter().map(String::as_str).collect();
                    arguments.push("--help");
                    let output = place.run(&arguments);
                    assert!(
                        output.status.success(),
                        "{}: there is no `tickmark {call}`",
                        document.path.display()
                    );
                    String::from_utf8(output.stdout).unwrap()
                });
                for option in options.iter().filter(|option| *option != "--help") {
                    assert!(
                        help.contains(option),
                        "{}: `tickmark {call}`: {option}",
                        document.path.display()
                    );
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 40, "only {checked} commands were found");
}

#[test]
fn every_setting_in_the_documents_exists() {
    let defaults = Place::sqlite().json(&["config", "check"]);
    let names: BTreeSet<String> =
        defaults.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect();
    let sections: BTreeSet<&str> = names.iter().filter_map(|name| Some(name.split_once('.')?.0)).collect();
    for document in Document::all() {
        // It names the file of settings and is none itself.
        let text = document.text.replace("TICKMARK_CONFIG", "");
        assert_settings_exist(&text);
        for code in document.code() {
            let is_dotted = code.split_once('.').is_some_and(|(section, _)| sections.contains(section));
            let is_name = code.chars().all(|letter| letter.is_ascii_lowercase() || "._".contains(letter));
            assert!(
                !(is_dotted && is_name) || names.contains(&code),
                "{}: there is no setting {code}",
                document.path.display()
            );
        }
    }
}

#[test]
fn every_link_in_the_documents_leads_somewhere() {
    let mut checked = 0;
    for document in Document::all() {
        for target in document.text.split("](").skip(1).filter_map(|rest| rest.split_once(')')) {
            let (path, anchor) = target.0.split_once('#').unwrap_or((target.0, ""));
            if path.starts_with("http") {
                continue;
            }
            let linked = if path.is_empty() {
                document.path.clone()
            } else {
                document.path.parent().unwrap().join(path)
            };
            assert!(linked.exists(), "{}: {}", document.path.display(), target.0);
            if !anchor.is_empty() {
                let text = std::fs::read_to_string(&linked).unwrap();
                let is_there =
                    text.lines().filter(|line| line.starts_with('#')).any(|line| slug(line) == anchor);
                assert!(is_there, "{}: {}", document.path.display(), target.0);
            }
            checked += 1;
        }
    }
    assert!(checked > 20, "only {checked} links were found");
}

/// What a heading is called in a link.
fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|letter| letter.is_alphanumeric() || " -".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn every_metric_is_in_the_documents_and_every_documented_one_exists() {
    let text = Document::read("docs/operating.md").text;
    let source: String = ["metrics.rs", "metrics/process.rs", "metrics/request.rs"]
        .iter()
        .map(|name| std::fs::read_to_string(root().join("crates/server/src").join(name)).unwrap())
        .collect();
    let is_part = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    let names = |text: &str, before: char| -> BTreeSet<String> {
        let starts = ["tickmark_", "process_"].iter().flat_map(|prefix| text.match_indices(prefix));
        let own = starts.filter(|(start, _)| text[..*start].ends_with(before));
        own.map(|(start, _)| text[start..].chars().take_while(|letter| is_part(*letter)).collect()).collect()
    };
    let (documented, real) = (names(&text, '`'), names(&source, '"'));
    assert!(real.len() >= 15, "{real:?}");
    assert_eq!(documented, real);
}

/// A folder with a development server, in which the commands of a document are run.
struct Desk {
    folder: tempfile::TempDir,
    server: Server,
    key: String,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        for name in ["samples", "deploy"] {
            std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).unwrap();
        }
        // What the documents need not say: a refused request fails the command, and nothing else is printed.
        std::fs::write(folder.path().join(".curlrc"), "fail-with-body\nsilent\nshow-error\n").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tickmark"));
        command.env_clear().stdin(Stdio::null()).current_dir(folder.path());
        command.args(["--json", "dev", "--listen", "127.0.0.1:0"]);
        let mut server = Server::start(command);
        let mut greeting = String::new();
        for line in std::io::BufReader::new(server.stdout()).lines() {
            greeting.push_str(&line.unwrap());
            if let Ok(greeting) = serde_json::from_str::<Value>(&greeting) {
                let key = greeting["test_key"].as_str().unwrap().to_owned();
                return Desk { folder, server, key };
            }
        }
        panic!("the server does not greet");
    }

    /// Runs commands as a reader would; they must succeed. Gives what they printed.
    fn run(&self, commands: &str) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_tickmark")).parent().unwrap();
        let commands = commands.replace("127.0.0.1:8080", &self.server.address.to_string());
        let output = Command::new("timeout")
            .args(["300", "bash", "-euo", "pipefail", "-c", &commands])
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", format!("{}:{}", program.display(), std::env::var("PATH").unwrap()))
            .env("HOME", self.folder.path())
            .env("KEY", &self.key)
            .output()
            .unwrap();
        let (said, wrong) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{commands}\n{said}\n{wrong}");
        said.into_owned()
    }
}

#[test]
fn the_commands_in_the_documents_work() {
    let mut ran = Vec::new();
    for document in Document::all() {
        let blocks = document.blocks();
        for block in blocks.iter().filter(|block| block.info.starts_with("sh")) {
            assert!(KINDS.contains(&block.info.as_str()), "{}: {}", document.path.display(), block.info);
        }
        if blocks.iter().any(|block| block.info == "sh run") {
            let said = Desk::new().run(&document.commands("sh run"));
            ran.push((document.path.file_name().unwrap().to_owned(), said));
        }
    }
    let said = |name: &str| ran.iter().find(|(file, _)| file == name).map(|(_, said)| said.as_str()).unwrap();
    assert!(
        said("README.md").contains(r#""object": "result""#)
            || said("README.md").contains(r#""object":"result""#)
    );
    assert!(said("operating.md").contains("acct_"));
}
