use super::*;
use std::collections::BTreeSet;

fn load(options: Options, environment: &[(&str, &str)]) -> Result<Settings, Error> {
    let environment = environment.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    Settings::load(options, environment)
}

fn refused(environment: &[(&str, &str)]) -> String {
    load(Options::default(), environment).expect_err("the settings must be refused").to_string()
}

fn with_file(text: &str) -> (tempfile::TempDir, Options) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tickmark.toml");
    std::fs::write(&path, text).unwrap();
    (folder, Options::new(Some(path)))
}

#[test]
fn the_documented_settings_are_exactly_those_that_are_read() {
    let uncommented: String = DEFAULTS
        .lines()
        .map(|line| {
            line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line).to_owned() + "\n"
        })
        .collect();
    let table: toml::Table = uncommented.parse().unwrap();
    let mut documented = BTreeSet::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => documented.extend(inner.keys().map(|name| format!("{key}.{name}"))),
            _ => drop(documented.insert(key)),
        }
    }
    let read = load(Options::default(), &[]).unwrap();
    let read: BTreeSet<String> = read.in_force.iter().map(|setting| setting.name.to_owned()).collect();
    assert_eq!(documented, read);
}

#[test]
fn every_example_of_the_documentation_is_accepted() {
    let uncommented: String = DEFAULTS
        .lines()
        .map(|line| {
            line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line).to_owned() + "\n"
        })
        .collect();
    let (_folder, options) = with_file(&uncommented);
    load(options, &[]).unwrap();
}

#[test]
fn an_option_wins_over_the_environment_over_the_file_over_the_default() {
    let (_folder, mut options) =
        with_file("listen = \"10.0.0.1:1\"\nmetrics = \"10.0.0.1:2\"\nlog_format = \"json\"\n");
    options.set("listen", "--listen", Some("10.0.0.3:1".to_owned()));
    let settings =
        load(options, &[("TICKMARK_LISTEN", "10.0.0.2:1"), ("TICKMARK_METRICS", "10.0.0.2:2")]).unwrap();
    assert_eq!(settings.listen, Some("10.0.0.3:1".parse().unwrap()));
    assert_eq!(settings.metrics, Some("10.0.0.2:2".parse().unwrap()));
    assert_eq!(settings.log_format, Format::Json);
    assert_eq!(settings.limits.idle.as_secs(), 75);
}

#[test]
fn a_wrong_value_is_named_with_what_would_be_right() {
    assert_eq!(
        refused(&[("TICKMARK_LISTEN", "nowhere")]),
        "The setting listen (given as TICKMARK_LISTEN) is \"nowhere\", but must be an IP address with a port, \
         such as 127.0.0.1:8080 or [::]:8443."
    );
    assert_eq!(
        refused(&[("TICKMARK_LIMITS_IDLE_SECONDS", "0")]),
        "The setting limits.idle_seconds (given as TICKMARK_LIMITS_IDLE_SECONDS) is \"0\", but must be a whole \
         number from 1 to 3600."
    );
    let (folder, options) = with_file("trusted_proxies = \"10.0.0.0/8\"\n");
    let error = load(options, &[]).expect_err("a list is no text").to_string();
    assert_eq!(
        error,
        format!(
            "The setting trusted_proxies (given in {}/tickmark.toml) is \"10.0.0.0/8\", but must be a list of \
             networks or addresses, such as 10.0.0.0/8 or 192.0.2.7.",
            folder.path().display()
        )
    );
}

#[test]
fn a_secret_is_not_repeated_when_it_is_wrong() {
    let message = refused(&[("TICKMARK_MASTER_KEY", "hunter2")]);
    assert_eq!(
        message,
        "The setting master_key (given as TICKMARK_MASTER_KEY) must be 64 hexadecimal digits."
    );
    let settings =
        load(Options::default(), &[("TICKMARK_DATABASE", "postgres://me:hunter2@db/marks")]).unwrap();
    assert!(!format!("{:?}", settings.in_force).contains("hunter2"));
}

#[test]
fn an_unknown_setting_is_refused_with_the_nearest_known_one() {
    assert_eq!(
        refused(&[("TICKMARK_LISEN", "127.0.0.1:1")]),
        "There is no setting lisen (given as TICKMARK_LISEN); did you mean listen?"
    );
    let (_folder, options) = with_file("[limits]\nsomething_else_entirely = 1\n");
    let message = load(options, &[]).expect_err("unknown").to_string();
    assert!(
        message.starts_with("There is no setting limits.something_else_entirely (given in "),
        "{message}"
    );
    assert!(message.ends_with("`tickmark config default` lists them all."), "{message}");
}

#[test]
fn a_broken_file_is_named_with_its_line() {
    let (folder, options) = with_file("migrate = true\nlisten = \n");
    let message = load(options, &[]).expect_err("no TOML").to_string();
    let start =
        format!("The settings file {}/tickmark.toml is not valid TOML in line 2: ", folder.path().display());
    assert!(message.starts_with(&start), "{message}");
    assert_eq!(message.lines().count(), 1);
}

#[test]
fn what_belongs_together_is_asked_for_together() {
    assert_eq!(
        refused(&[("TICKMARK_TLS_CERT", "/x")]),
        "The setting tls_key must be given too when tls_cert is."
    );
    assert_eq!(
        refused(&[("TICKMARK_ENGINE", "llm")]),
        "The setting llm.base_url must be given too when engine is llm."
    );
    assert_eq!(
        refused(&[("TICKMARK_STORAGE", "s3")]),
        "The setting s3.endpoint must be given too when storage is s3."
    );
}

#[test]
fn lists_in_variables_are_separated_by_commas() {
    let settings = load(
        Options::default(),
        &[("TICKMARK_TRUSTED_PROXIES", "10.0.0.0/8, ::1"), ("TICKMARK_ROLES", "worker")],
    );
    let settings = settings.unwrap();
    assert_eq!(settings.trusted_proxies, ["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()]);
    assert_eq!(settings.roles, [Role::Worker]);
}
