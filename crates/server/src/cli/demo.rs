//! `tickmark demo`: the main job from nothing, over HTTP, with the samples that ship with the program.

mod client;
mod samples;
mod server;
mod story;

use super::Global;
use super::output;
use crate::failure::Failure;
use crate::run::Signals;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use server::DemoServer;
use std::path::PathBuf;
use std::time::Duration;
use story::{Marked, Story};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tickmark demo                      Two subjects, ten scripts, reports in ./tickmark-demo
  tickmark demo --keep               The same, then leaves the server running for you to look around

The server is the real one, with a data folder of its own that is gone afterwards.")]
pub(super) struct Demo {
    /// Folder for the reports
    #[arg(long, value_name = "DIR", default_value = "tickmark-demo")]
    out: PathBuf,
    /// Only this subject; may be repeated
    #[arg(long, value_name = "NAME", value_parser = samples::NAMES)]
    subject: Vec<String>,
    /// Leave the server running and print a review link, a key and commands to try
    #[arg(long)]
    keep: bool,
}

impl Demo {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let mut server = DemoServer::start().await?;
        let mut signals = Signals::new()?;
        // Whoever interrupts it leaves neither a server nor its data behind.
        tokio::select! {
            told = self.tell(global, &mut server) => told?,
            () = signals.next() => {}
        }
        server.stop().await
    }

    async fn tell(self, global: &Global, server: &mut DemoServer) -> Result<(), Failure> {
        let progress = progress();
        let story = Story {
            client: server.client(),
            subjects: samples::chosen(&self.subject),
            out: self.out.clone(),
            progress: progress.clone(),
        };
        let marked = story.tell().await?;
        let links =
            if self.keep { Some((story.review_link().await?, story.desk_link().await?)) } else { None };
        progress.finish_and_clear();
        if global.json {
            output::document(&json!({
                "url": server.url, "key": server.test_key, "reports": self.out, "review_link": links.as_ref().map(|(review, _)| review),
                "desk_link": links.as_ref().map(|(_, desk)| desk),
                "scripts": marked.iter().map(Marked::to_json).collect::<Vec<_>>(),
            }))?;
        } else {
            output::text(&table(&marked))?;
            let folder = self.out.display();
            output::text(&format!(
                "\nAnnotated scripts (PDF), pages to print (HTML) and results (JSON) lie in {folder}/\n"
            ))?;
        }
        let Some((review, desk)) = links else { return Ok(()) };
        if !global.json {
            output::text(&invitation(server, &review, &desk))?;
        }
        server.wait().await
    }
}

fn progress() -> ProgressBar {
    let progress = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{spinner} [{elapsed}] {msg}");
    progress.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    progress.enable_steady_tick(Duration::from_millis(120));
    progress
}

/// One table for each subject: students down, questions across.
fn table(marked: &[Marked]) -> String {
    let mut text = String::new();
    let mut rest = marked;
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|script| script.subject == first.subject).count();
        let (own, others) = rest.split_at(count);
        rest = others;
        let mut headings = vec!["SCRIPT".to_owned()];
        headings.extend(first.questions.iter().map(|(number, _)| format!("Q{number}")));
        headings.extend(["TOTAL".to_owned(), "PERCENT".to_owned(), "TO CHECK".to_owned()]);
        let rows: Vec<Vec<String>> = own.iter().map(Marked::row).collect();
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        text.push_str(&format!("\n{} ({} marks)\n", first.subject, first.available));
        text.push_str(&output::table(&headings, &rows));
    }
    text
}

fn invitation(server: &DemoServer, review: &str, desk: &str) -> String {
    let (url, key) = (&server.url, &server.test_key);
    format!(
        "\nThe server stays at {url} until you press Ctrl-C.\n\n\
         Review page  {review}\n\
         Marking desk {desk}\n\
         Test key     {key}\n\n  \
         curl {url}/v1/papers -H 'Authorization: Bearer {key}'\n  \
         curl {url}/v1/submissions -H 'Authorization: Bearer {key}'\n  \
         curl {url}/v1/events -H 'Authorization: Bearer {key}'\n"
    )
}
