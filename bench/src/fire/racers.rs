//! Racers: several change the same papers at once, each a member of its own. Whatever was acknowledged last must be there
//! at the end.

use super::api::Api;
use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};

/// What a racer changes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Member {
    Title,
    Notes,
    Reference,
}

impl Member {
    pub(super) const ALL: [Member; 3] = [Member::Title, Member::Notes, Member::Reference];

    fn name(self) -> &'static str {
        match self {
            Member::Title => "title",
            Member::Notes => "metadata",
            Member::Reference => "external_id",
        }
    }

    fn value(self, paper: &str, round: u64) -> Value {
        match self {
            Member::Title => json!(format!("Round {round}")),
            Member::Notes => json!({"round": round.to_string()}),
            // Every other round it is given up.
            Member::Reference if round.is_multiple_of(2) => Value::Null,
            Member::Reference => json!(format!("{paper} {round}")),
        }
    }
}

/// What one racer was told last.
pub(super) struct Acknowledged {
    paper: String,
    member: Member,
    value: Value,
    pub(super) rounds: u64,
}

/// Changes one member of a paper again and again, and repeats what it does not know the end of.
pub(super) async fn race(
    api: &Api,
    paper: &str,
    member: Member,
    is_over: &AtomicBool,
) -> anyhow::Result<Acknowledged> {
    let path = format!("/v1/papers/{paper}");
    let (mut rounds, mut value) = (0, Value::Null);
    while !is_over.load(Ordering::Relaxed) || rounds == 0 {
        rounds += 1;
        value = member.value(paper, rounds);
        let told = api.settled(api.patch(&path, &json!({member.name(): value}))).await?;
        ensure!(told[member.name()] == value, "{path} was answered with {told} in place of {value}");
    }
    Ok(Acknowledged { paper: paper.to_owned(), member, value, rounds })
}

/// Checks that every change that was acknowledged last is there; gives how many there were.
pub(super) async fn check(api: &Api, all: &[Acknowledged]) -> anyhow::Result<u64> {
    for one in all {
        let paper = api.settled(api.get(&format!("/v1/papers/{}", one.paper))).await?;
        let (name, is) = (one.member.name(), &paper[one.member.name()]);
        ensure!(*is == one.value, "{} has {name} {is}, but {} was acknowledged", one.paper, one.value);
        if one.member.name() == "external_id"
            && let Some(reference) = one.value.as_str()
        {
            let path = format!("/v1/papers?external_id={}", reference.replace(' ', "%20"));
            let found = api.settled(api.get(&path)).await?;
            let found = found["data"].as_array().context("a list")?.len();
            ensure!(found == 1, "{found} papers have the reference {reference:?}");
        }
    }
    Ok(all.iter().map(|one| one.rounds).sum())
}
