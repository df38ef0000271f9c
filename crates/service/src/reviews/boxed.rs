//! What stands in a box that a reviewer drew on a page of the question paper.

use super::{ReviewError, Service};
use crate::Error;
use crate::blobs::{BlobError, template_key};
use domain::question::Region;
use domain::review::ReviewLink;
use reader::page::{Document, Page, Word};

/// The most characters that a box gives: as many as a question's text may have.
const CHARACTERS_MAX: usize = 10_000;

impl Service {
    /// The text in a region of a page of the paper that a link opens; empty where nothing was read.
    #[crate::boxed]
    pub async fn boxed_text(&self, link: &ReviewLink, region: &Region) -> Result<String, ReviewError> {
        let bytes = match self.0.blobs.get(&template_key(link.paper_id)).await {
            Ok(bytes) => bytes,
            Err(BlobError::Missing(_)) => return Ok(String::new()),
            Err(error) => return Err(Error::from(error).into()),
        };
        let document: Document =
            serde_json::from_slice(&bytes).map_err(|error| Error::Broken(error.into()))?;
        let page = document.pages.iter().find(|page| page.number == region.page);
        Ok(page.map(|page| text_in(page, region)).unwrap_or_default())
    }
}

/// The words whose middle lies in the region, line by line.
fn text_in(page: &Page, region: &Region) -> String {
    let is_in = |word: &&Word| {
        let x = (word.place.x0 + word.place.x1) / 2.0 / page.width.max(1.0);
        let y = (word.place.y0 + word.place.y1) / 2.0 / page.height.max(1.0);
        (region.x..=region.x + region.width).contains(&x)
            && (region.y..=region.y + region.height).contains(&y)
    };
    let mut words: Vec<&Word> = page.words.iter().filter(|word| !word.turned).filter(is_in).collect();
    words.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    // Words on one line share their baseline but for a few points.
    let mut lines: Vec<Vec<&Word>> = Vec::new();
    for word in words {
        let height = (word.place.y1 - word.place.y0).max(1.0);
        match lines.last_mut() {
            Some(line) if line.last().is_some_and(|last| word.baseline - last.baseline < 0.5 * height) => {
                line.push(word);
            }
            _ => lines.push(vec![word]),
        }
    }
    let told = lines.into_iter().map(|mut line| {
        line.sort_by(|one, other| one.place.x0.total_cmp(&other.place.x0));
        line.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    });
    told.collect::<Vec<_>>().join("\n").chars().take(CHARACTERS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reader::page::Rect;

    #[test]
    fn words_in_the_box_come_line_by_line() {
        let word = |text: &str, x: f32, y: f32| Word {
            text: text.into(),
            place: Rect { x0: x, y0: y, x1: x + 20.0, y1: y + 10.0 },
            baseline: y + 8.0,
            ..Word::default()
        };
        let words = vec![
            word("does.", 160.0, 221.0),
            word("2", 40.0, 220.0),
            word("State", 100.0, 220.0),
            word("far", 100.0, 600.0),
            word("(a)", 100.0, 240.0),
        ];
        let page = Page { number: 1, width: 600.0, height: 800.0, words, ..Page::default() };
        let region = Region { page: 1, x: 0.1, y: 0.25, width: 0.5, height: 0.1 };
        assert_eq!(text_in(&page, &region), "State does.\n(a)");
        let nowhere = Region { width: f32::NAN, ..region };
        assert_eq!(text_in(&page, &nowhere), "");
    }
}
