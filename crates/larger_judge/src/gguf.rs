//! The operator's file: named tensors behind a header of named values (GGUF, version 3).

use crate::Error;
use std::collections::HashMap;
use std::ops::Range;

/// More of anything than this is no model of the kind that is read here.
const COUNT_MAX: u64 = 1 << 20;
const DIMENSIONS_MAX: u32 = 4;

/// A value of the header; what is not used is passed over.
#[derive(Debug)]
enum Value {
    Words(Vec<String>),
    Other,
}

/// How the numbers of a tensor are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// 32-bit floating point.
    F32,
    /// Blocks of 256 with 4 bits each.
    Q4K,
    /// Blocks of 256 with 6 bits each.
    Q6K,
}

impl Format {
    fn of(code: u32) -> Option<Format> {
        match code {
            0 => Some(Format::F32),
            12 => Some(Format::Q4K),
            14 => Some(Format::Q6K),
            _ => None,
        }
    }

    /// Numbers of a block, and the bytes that they take.
    pub(crate) fn block(self) -> (usize, usize) {
        match self {
            Format::F32 => (1, 4),
            Format::Q4K => (256, 144),
            Format::Q6K => (256, 210),
        }
    }
}

/// Where a tensor lies and what shape it has: rows, and numbers in a row.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) format: Format,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) bytes: Range<usize>,
}

impl Place {
    /// The bytes of one row.
    pub(crate) fn row_bytes(&self) -> usize {
        let (numbers, bytes) = self.format.block();
        self.columns / numbers * bytes
    }
}

/// What the header says.
#[derive(Debug)]
pub(crate) struct Header {
    values: HashMap<String, Value>,
    tensors: HashMap<String, Place>,
}

impl Header {
    pub(crate) fn read(file: &[u8]) -> Result<Header, Error> {
        let mut bytes = Bytes { file, at: 0 };
        if bytes.take(4)? != b"GGUF" || bytes.u32()? != 3 {
            return Err(Error::NoModel("it is no GGUF file of version 3"));
        }
        let (tensors, values) = (bytes.count()?, bytes.count()?);
        let mut known = HashMap::new();
        for _ in 0..values {
            let name = bytes.text()?;
            let kind = bytes.u32()?;
            known.insert(name, bytes.value(kind)?);
        }
        let mut places = Vec::new();
        for _ in 0..tensors {
            places.push(bytes.place()?);
        }
        let alignment = 32;
        let begin = bytes.at.next_multiple_of(alignment);
        let mut tensors = HashMap::new();
        for (name, mut place) in places {
            place.bytes = place.bytes.start.saturating_add(begin)..place.bytes.end.saturating_add(begin);
            if place.bytes.end > file.len() {
                return Err(Error::NoModel("it is cut short"));
            }
            tensors.insert(name, place);
        }
        Ok(Header { values: known, tensors })
    }

    pub(crate) fn words(&self, name: &str) -> Result<&[String], Error> {
        match self.values.get(name) {
            Some(Value::Words(words)) => Ok(words),
            _ => Err(Error::NoModel("it has no vocabulary")),
        }
    }

    /// The place of a tensor of this shape.
    pub(crate) fn tensor(&self, name: &str, rows: usize, columns: usize) -> Result<Place, Error> {
        let place = self.tensors.get(name).ok_or(Error::NoModel("a part of the network is not in it"))?;
        if (place.rows, place.columns) != (rows, columns) {
            return Err(Error::NoModel("a part of the network has another size"));
        }
        Ok(place.clone())
    }
}

/// Reads on, never past the end.
struct Bytes<'f> {
    file: &'f [u8],
    at: usize,
}

impl<'f> Bytes<'f> {
    fn take(&mut self, count: usize) -> Result<&'f [u8], Error> {
        let end = self.at.checked_add(count).ok_or(Error::NoModel("it is cut short"))?;
        let taken = self.file.get(self.at..end).ok_or(Error::NoModel("it is cut short"))?;
        self.at = end;
        Ok(taken)
    }

    fn u32(&mut self) -> Result<u32, Error> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes were taken")))
    }

    fn u64(&mut self) -> Result<u64, Error> {
        let bytes = self.take(8)?;
        Ok(u64::from_le_bytes(bytes.try_into().expect("eight bytes were taken")))
    }

    fn size(&mut self) -> Result<usize, Error> {
        usize::try_from(self.u64()?).map_err(|_| Error::NoModel("it is cut short"))
    }

    fn count(&mut self) -> Result<u64, Error> {
        let count = self.u64()?;
        if count > COUNT_MAX { Err(Error::NoModel("its header is too long")) } else { Ok(count) }
    }

    fn text(&mut self) -> Result<String, Error> {
        let length = self.size()?;
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    fn value(&mut self, kind: u32) -> Result<Value, Error> {
        const TEXT: u32 = 8;
        const LIST: u32 = 9;
        match kind {
            0 | 1 | 7 => self.take(1).map(|_| Value::Other),
            2 | 3 => self.take(2).map(|_| Value::Other),
            4..=6 => self.take(4).map(|_| Value::Other),
            TEXT => self.text().map(|_| Value::Other),
            LIST => {
                let (kind, count) = (self.u32()?, self.count()?);
                if kind == TEXT {
                    let words: Result<Vec<String>, Error> = (0..count).map(|_| self.text()).collect();
                    return words.map(Value::Words);
                }
                if kind == LIST {
                    return Err(Error::NoModel("its header has lists of lists"));
                }
                for _ in 0..count {
                    self.value(kind)?;
                }
                Ok(Value::Other)
            }
            10..=12 => self.take(8).map(|_| Value::Other),
            _ => Err(Error::NoModel("its header has values of an unknown kind")),
        }
    }

    /// A tensor's name and place, counted from where the tensors begin.
    fn place(&mut self) -> Result<(String, Place), Error> {
        let name = self.text()?;
        let dimensions = self.u32()?;
        if dimensions == 0 || dimensions > DIMENSIONS_MAX {
            return Err(Error::NoModel("a part of the network has another size"));
        }
        // The shortest step is named first.
        let columns = self.size()?;
        let mut rows = 1usize;
        for _ in 1..dimensions {
            rows = rows
                .checked_mul(self.size()?)
                .ok_or(Error::NoModel("a part of the network has another size"))?;
        }
        let format = Format::of(self.u32()?).ok_or(Error::NoModel("it is rounded in another way"))?;
        let start = self.size()?;
        let (numbers, bytes) = format.block();
        let length = (columns / numbers).checked_mul(bytes).and_then(|row| row.checked_mul(rows));
        let end =
            length.and_then(|length| start.checked_add(length)).ok_or(Error::NoModel("it is cut short"))?;
        if columns % numbers != 0 {
            return Err(Error::NoModel("a part of the network has another size"));
        }
        Ok((name, Place { format, rows, columns, bytes: start..end }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Vec<u8> {
        [(text.len() as u64).to_le_bytes().as_slice(), text.as_bytes()].concat()
    }

    /// A file with one list of words and one tensor of two rows and three columns.
    fn small() -> Vec<u8> {
        let mut file = b"GGUF".to_vec();
        file.extend(3u32.to_le_bytes());
        file.extend([1u64, 1].iter().flat_map(|count| count.to_le_bytes()));
        file.extend(text("words"));
        file.extend([9u32, 8].iter().flat_map(|kind| kind.to_le_bytes()));
        file.extend(2u64.to_le_bytes());
        file.extend([text("one"), text("two")].concat());
        file.extend(text("matrix"));
        file.extend(2u32.to_le_bytes());
        file.extend([3u64, 2].iter().flat_map(|size| size.to_le_bytes()));
        file.extend(0u32.to_le_bytes());
        file.extend(0u64.to_le_bytes());
        file.resize(file.len().next_multiple_of(32), 0);
        file.extend([0u8; 24]);
        file
    }

    #[test]
    fn names_shapes_and_places_are_read() {
        let file = small();
        let header = Header::read(&file).unwrap();
        assert_eq!(header.words("words").unwrap(), ["one", "two"]);
        let place = header.tensor("matrix", 2, 3).unwrap();
        assert_eq!((place.bytes.len(), place.bytes.end, place.row_bytes()), (24, file.len(), 12));
        assert!(header.tensor("matrix", 3, 2).is_err() && header.tensor("other", 2, 3).is_err());
        assert!(header.words("matrix").is_err());
    }

    #[test]
    fn whatever_is_cut_or_changed_is_refused_or_read_and_never_worse() {
        let file = small();
        for length in 0..file.len() {
            assert!(Header::read(&file[..length]).is_err(), "{length}");
        }
        for at in 0..file.len() {
            for value in [0u8, 1, 0x7f, 0xff] {
                let mut changed = file.clone();
                changed[at] = value;
                let _ = Header::read(&changed);
            }
        }
    }
}
