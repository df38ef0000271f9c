//! Messages of numbered fields, as ONNX files are written in (protobuf).

/// A field of a message.
pub(super) struct Field<'a> {
    pub(super) number: u64,
    /// What a number field holds.
    pub(super) value: u64,
    /// What a field of bytes holds.
    pub(super) content: Option<&'a [u8]>,
    /// All of it, as it stands in the message.
    pub(super) whole: &'a [u8],
}

/// The fields of a message, one after the other; ends with `None` where it is broken.
pub(super) fn fields(message: &[u8]) -> impl Iterator<Item = Option<Field<'_>>> {
    let mut rest = message;
    let mut is_broken = false;
    std::iter::from_fn(move || {
        if rest.is_empty() || is_broken {
            return None;
        }
        let read = field(&mut rest);
        is_broken = read.is_none();
        Some(read)
    })
}

fn field<'a>(rest: &mut &'a [u8]) -> Option<Field<'a>> {
    let start = *rest;
    let key = varint(rest)?;
    let (value, content) = match key & 7 {
        0 => (varint(rest)?, None),
        1 => (0, Some(take(rest, 8)?)),
        2 => {
            let length = usize::try_from(varint(rest)?).ok()?;
            (0, Some(take(rest, length)?))
        }
        5 => (0, Some(take(rest, 4)?)),
        _ => return None,
    };
    Some(Field { number: key >> 3, value, content, whole: &start[..start.len() - rest.len()] })
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}

/// The number that the rest begins with.
pub(super) fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        value |= u64::from(byte & 127) << shift;
        if byte & 128 == 0 {
            return Some(value);
        }
    }
    None
}

/// Writes a number.
pub(super) fn push_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 128 {
        bytes.push((value & 127) as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Writes a field of bytes.
pub(super) fn put(bytes: &mut Vec<u8>, number: u64, content: &[u8]) {
    push_varint(bytes, number << 3 | 2);
    push_varint(bytes, content.len() as u64);
    bytes.extend_from_slice(content);
}
