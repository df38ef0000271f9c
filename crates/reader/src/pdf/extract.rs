//! Some pages of a file as a file of their own: one student's out of a class's.
//!
//! Pages are taken over as they are, so that nothing of a scan is lost. A page that names pictures which it does not
//! draw shares its list with other pages, and taking it over would take theirs along; such a page, and one with notes
//! laid over it, is drawn and taken over as a picture.

use super::Reader;
use crate::image as picture;
use crate::{Error, Pixels};
use hayro::hayro_syntax::content::ops::TypedInstruction;
use hayro::hayro_syntax::page::Page;
use hayro_write::pdf_writer::{Content, Filter, Finish as _, Name, Pdf, Rect, Ref};
use hayro_write::{ChunkSettings, ExtractionQuery};
use std::collections::HashSet;

/// The resolution of a page that is taken over as a picture.
const PICTURE_DPI: f32 = 200.0;
/// The only picture of such a page.
const PICTURE: Name<'static> = Name(b"P");

impl Reader<'_> {
    /// A file with these pages in this order; they count from 1 and must be there.
    pub fn extract(&self, numbers: &[u32]) -> Result<Vec<u8>, Error> {
        let pages = self.pdf.pages();
        let indices: Vec<usize> = numbers.iter().map(|number| (*number as usize).wrapping_sub(1)).collect();
        let mut is_whole = Vec::with_capacity(indices.len());
        for index in &indices {
            is_whole.push(stands_alone(pages.get(*index).ok_or(Error::Unreadable)?));
        }
        let mut next = Ref::new(1);
        let catalog = next.bump();
        let taken = indices.iter().zip(&is_whole).filter(|(_, is_whole)| **is_whole);
        let taken: Vec<ExtractionQuery> = taken.map(|(index, _)| ExtractionQuery::new_page(*index)).collect();
        let extracted =
            hayro_write::extract(self.pdf, Box::new(|| next.bump()), ChunkSettings::default(), &taken)
                .map_err(|_| Error::Unreadable)?;
        let tree = extracted.page_tree_parent_ref;
        let mut file = Pdf::new();
        file.catalog(catalog).pages(tree);
        let mut taken = extracted.root_refs.into_iter();
        let mut kids = Vec::with_capacity(indices.len());
        for (index, is_whole) in indices.iter().zip(&is_whole) {
            kids.push(match is_whole {
                true => taken.next().ok_or(Error::Unreadable)?.map_err(|_| Error::Unreadable)?,
                false => self.add_picture(&mut file, &mut next, *index, tree)?,
            });
        }
        let count = i32::try_from(kids.len()).map_err(|_| Error::LimitExceeded)?;
        file.pages(tree).kids(kids).count(count);
        file.extend(&extracted.chunk);
        Ok(file.finish())
    }

    /// Adds a page that shows the picture of another.
    fn add_picture(&self, file: &mut Pdf, next: &mut Ref, index: usize, tree: Ref) -> Result<Ref, Error> {
        let number = u32::try_from(index).map_err(|_| Error::LimitExceeded)?;
        let Pixels { width, height, .. } = self.render(number, 72.0);
        let (width, height) = (width.max(1) as f32, height.max(1) as f32);
        let drawn = picture::from_pixels(self.render(number, PICTURE_DPI)).ok_or(Error::Unreadable)?;
        let jpeg = picture::to_jpeg(&drawn)?;
        let (page, shown, content) = (next.bump(), next.bump(), next.bump());
        let mut image = file.image_xobject(shown, &jpeg);
        image.filter(Filter::DctDecode);
        image.width(i32::try_from(drawn.width()).map_err(|_| Error::LimitExceeded)?);
        image.height(i32::try_from(drawn.height()).map_err(|_| Error::LimitExceeded)?);
        image.color_space().device_rgb();
        image.bits_per_component(8);
        image.finish();
        let mut drawing = Content::new();
        drawing.transform([width, 0.0, 0.0, height, 0.0, 0.0]).x_object(PICTURE);
        file.stream(content, &drawing.finish());
        let mut added = file.page(page);
        added.media_box(Rect::new(0.0, 0.0, width, height)).parent(tree).contents(content);
        added.resources().x_objects().pair(PICTURE, shown);
        added.finish();
        Ok(page)
    }
}

/// True for a page that draws every picture it names and has nothing laid over it.
fn stands_alone(page: &Page<'_>) -> bool {
    if page.raw().contains_key(b"Annots") {
        return false;
    }
    let mut drawn: HashSet<Vec<u8>> = HashSet::new();
    let mut operations = page.typed_operations();
    while let Some(operation) = operations.next() {
        if let TypedInstruction::XObject(named) = operation {
            drawn.insert(named.0.to_vec());
        }
    }
    page.resources().x_objects.keys().all(|name| drawn.contains(&*name))
}
