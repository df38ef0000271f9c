//! `tickmark subject`: the catalogue that papers refer to.

use super::values;
use super::{Global, open};
use crate::failure::Failure;
use clap::Subcommand;
use domain::id::SubjectId;
use domain::paging::{Limit, Seal, parse_cursor};
use domain::subject::Subject;
use serde::Serialize;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark subject add --name Latin --code LAT --level 'A level'
  tickmark subject list")]
pub(super) enum Command {
    /// Add a subject
    Add {
        /// Its name
        #[arg(long, value_name = "N", value_parser = values::line)]
        name: String,
        /// Its code, such as MAT
        #[arg(long, value_name = "C", value_parser = values::line)]
        code: Option<String>,
        /// Its level, such as GCSE
        #[arg(long, value_name = "L", value_parser = values::line)]
        level: Option<String>,
    },
    /// All subjects by name
    List,
}

#[derive(Serialize)]
struct View {
    id: SubjectId,
    name: String,
    code: Option<String>,
    level: Option<String>,
}

impl From<Subject> for View {
    fn from(subject: Subject) -> View {
        View { id: subject.id, name: subject.name, code: subject.code, level: subject.level }
    }
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let app = open(global).await?;
        match self {
            Command::Add { name, code, level } => {
                let view = View::from(app.service.add_subject(name, code, level).await?);
                let lines = [
                    ("Id", view.id.to_string()),
                    ("Name", view.name.clone()),
                    ("Code", view.code.clone().unwrap_or_default()),
                    ("Level", view.level.clone().unwrap_or_default()),
                ];
                Ok(global.output().record(&view, &lines)?)
            }
            Command::List => {
                let subjects = all(&app.service).await?;
                Ok(global.output().list(&subjects, &["id", "name", "code", "level"], |view| {
                    let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
                    vec![view.id.to_string(), view.name.clone(), or_empty(&view.code), or_empty(&view.level)]
                })?)
            }
        }
    }
}

async fn all(service: &service::Service) -> Result<Vec<View>, Failure> {
    let seal = Seal::new("subjects of the command line");
    let limit = Limit::new(Limit::MAX.into()).unwrap_or(Limit::DEFAULT);
    let mut subjects = Vec::new();
    let mut after = None;
    loop {
        let page = service.subjects(None, after, limit, &seal).await?;
        subjects.extend(page.items.into_iter().map(View::from));
        after = page.next_cursor.as_deref().and_then(|cursor| parse_cursor(cursor, &seal));
        if after.is_none() {
            return Ok(subjects);
        }
    }
}
