//! Where settings come from: defaults, a file, the environment, the command line; the later wins.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::Error;
use toml::{Table, Value};

/// The defaults, documented for people.
pub const DEFAULTS: &str = include_str!("../../config.default.toml");

/// What every variable of ours begins with.
const PREFIX: &str = "TICKMARK_";

/// The variable that names the settings file; it is no setting itself.
const CONFIG_VARIABLE: &str = "TICKMARK_CONFIG";

/// Where a value was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nowhere: it is the default.
    Default,
    /// In the settings file.
    File(PathBuf),
    /// As an environment variable.
    Environment(String),
    /// As an option of the command line.
    Option(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => formatter.write_str("default"),
            Origin::File(path) => write!(formatter, "{}", path.display()),
            Origin::Environment(name) => formatter.write_str(name),
            Origin::Option(name) => formatter.write_str(name),
        }
    }
}

/// A value as it was given. Variables and options are text, whatever the setting's type.
#[derive(Clone, Debug)]
pub(super) struct Raw {
    pub(super) value: Value,
    pub(super) is_text: bool,
    pub(super) origin: Origin,
}

/// What the command line says about settings.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `--config`.
    config: Option<PathBuf>,
    values: Vec<(&'static str, Raw)>,
}

impl Options {
    /// Nothing but the settings file, if one was named.
    pub fn new(config: Option<PathBuf>) -> Options {
        Options { config, values: Vec::new() }
    }

    /// Sets `name` as the option `option` does, if that was given.
    pub fn set(&mut self, name: &'static str, option: &'static str, text: Option<String>) {
        let Some(text) = text else { return };
        let raw = Raw { value: Value::String(text), is_text: true, origin: Origin::Option(option) };
        self.values.push((name, raw));
    }
}

/// All layers on top of each other: each setting's winning value by its dotted name.
pub(super) struct Layers {
    values: BTreeMap<String, Raw>,
    /// Our variables, to be matched with the settings' names once these are known.
    variables: BTreeMap<String, String>,
    options: Vec<(&'static str, Raw)>,
}

impl Layers {
    pub(super) fn stack(
        options: Options,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Layers, Error> {
        // An empty variable is how many tools say "not set".
        let mut variables: BTreeMap<String, String> =
            environment.filter(|(name, text)| name.starts_with(PREFIX) && !text.is_empty()).collect();
        let configured = variables.remove(CONFIG_VARIABLE);
        let file = match (options.config, configured) {
            (Some(path), _) => Some((path, Origin::Option("--config"))),
            (None, Some(path)) => {
                Some((PathBuf::from(path), Origin::Environment(CONFIG_VARIABLE.to_owned())))
            }
            (None, None) => None,
        };

        let mut values = BTreeMap::new();
        let defaults = parse(DEFAULTS, Path::new("config.default.toml"))?;
        flatten(&mut values, "", defaults, &Origin::Default);
        if let Some((path, origin)) = file {
            let text = std::fs::read_to_string(&path);
            let text = text.map_err(|source| Error::File { origin, path: path.clone(), source })?;
            let table = parse(&text, &path)?;
            flatten(&mut values, "", table, &Origin::File(path));
        }
        Ok(Layers { values, variables, options: options.values })
    }

    /// Takes the winning value of a setting out of the layers.
    pub(super) fn take(&mut self, name: &str) -> Option<Raw> {
        let below = self.values.remove(name);
        let variable = variable(name);
        let above = self.variables.remove(&variable).map(|text| Raw {
            value: Value::String(text),
            is_text: true,
            origin: Origin::Environment(variable),
        });
        let given = self.options.iter().position(|(option, _)| *option == name);
        let top = given.map(|position| self.options.swap_remove(position).1);
        top.or(above).or(below)
    }

    /// Something that was given but that nobody took: there is no such setting.
    pub(super) fn left_over(&self) -> Option<(String, Origin)> {
        let in_file = self.values.iter().map(|(name, raw)| (name.clone(), raw.origin.clone()));
        let set = self.variables.keys().map(|name| {
            let setting = name.trim_start_matches(PREFIX).to_ascii_lowercase();
            (setting, Origin::Environment(name.clone()))
        });
        in_file.chain(set).next()
    }
}

/// The environment variable of a setting.
pub(super) fn variable(name: &str) -> String {
    format!("{PREFIX}{}", name.replace('.', "_").to_ascii_uppercase())
}

fn parse(text: &str, path: &Path) -> Result<Table, Error> {
    text.parse::<Table>().map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let message = error.message().trim_end_matches('.').replace('\n', ", ");
        Error::Syntax { path: path.to_owned(), line, message }
    })
}

/// Puts a table's values under their dotted names, over what is there.
fn flatten(values: &mut BTreeMap<String, Raw>, prefix: &str, table: Table, origin: &Origin) {
    for (key, value) in table {
        let name = format!("{prefix}{key}");
        match value {
            Value::Table(inner) => flatten(values, &format!("{name}."), inner, origin),
            value => {
                values.insert(name, Raw { value, is_text: false, origin: origin.clone() });
            }
        }
    }
}
