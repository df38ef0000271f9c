//! Which question a call means that names it by its number or its id.

use crate::Error;
use crate::papers::StoredQuestion;
use domain::id::{Identifier as _, QuestionId};
use domain::refusal::Refusal;

/// The place of the question that is named, of all of a paper.
pub(super) fn place_named(all: &[StoredQuestion], name: &str) -> Result<u32, Error> {
    match QuestionId::parse(name) {
        Some(id) => place_of_id(all, id),
        None => place_of_number(all.iter().map(|stored| stored.question.number.as_str()), name),
    }
}

/// The place of the question with this id.
pub(super) fn place_of_id(all: &[StoredQuestion], id: QuestionId) -> Result<u32, Error> {
    let place = all.iter().position(|stored| stored.id == id).and_then(|place| u32::try_from(place).ok());
    place.ok_or_else(|| wrong(format!("The paper has no question {id}.")))
}

/// The place of the only question with this number.
pub(super) fn place_of_number<'n>(numbers: impl Iterator<Item = &'n str>, name: &str) -> Result<u32, Error> {
    let mut places = (0_u32..).zip(numbers).filter(|(_, number)| *number == name);
    match (places.next(), places.next()) {
        (Some((place, _)), None) => Ok(place),
        (None, _) => Err(wrong(format!("The paper has no question {name:?}."))),
        (Some(_), Some(_)) => Err(wrong(format!(
            "Several questions have the number {name:?}: name the one you mean by its id."
        ))),
    }
}

fn wrong(problem: String) -> Error {
    Error::from(Refusal::WrongAdjustment { problem }).at("question")
}
