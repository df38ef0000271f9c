//! Cuts the recogniser's alphabet down to the letters that a document can hold.
//!
//! The network tells nineteen thousand signs apart, nearly all of them Chinese and Japanese. Its last layer has a column
//! of weights for each; where the paper is written in European letters, the other columns cost a third of the time and
//! most of the memory, and can only be wrong. The weights stand in an ONNX file, a message of numbered fields, of which
//! only the two tables of the last layer are rewritten.

use super::protobuf::{Field, fields, push_varint, put, varint};

/// The fields of the messages that are looked into.
const MODEL_GRAPH: u64 = 7;
const MODEL_METADATA: u64 = 14;
const ENTRY_KEY: u64 = 1;
const ENTRY_VALUE: u64 = 2;
const GRAPH_INITIALIZER: u64 = 5;
const GRAPH_VALUE_INFO: u64 = 13;
const TENSOR_DIMS: u64 = 1;
const TENSOR_RAW_DATA: u64 = 9;
/// Bytes of a weight.
const WEIGHT: usize = 4;

/// What the model says of itself under a name.
pub(super) fn metadata<'m>(model: &'m [u8], name: &str) -> Option<&'m str> {
    let entries = fields(model).flatten().filter(|field| field.number == MODEL_METADATA);
    entries.filter_map(|entry| entry.content).find_map(|entry| {
        let text = |wanted: u64| {
            let field = fields(entry).flatten().find(|field| field.number == wanted)?;
            std::str::from_utf8(field.content?).ok()
        };
        (text(ENTRY_KEY)? == name).then(|| text(ENTRY_VALUE)).flatten()
    })
}

/// True for a sign that European languages, mathematics and the sciences write with.
pub(super) fn is_european(sign: &str) -> bool {
    let keeps = |letter: char| {
        matches!(letter,
            '\u{0}'..='\u{52F}' | '\u{1E00}'..='\u{1FFF}' | '\u{2000}'..='\u{2BFF}' | '\u{FF01}'..='\u{FF5E}' | '\u{3000}')
    };
    sign.chars().all(keeps)
}

/// The model with only these of its classes, in this order; `None` when it is not built as expected.
pub(super) fn cut(model: &[u8], classes: usize, kept: &[usize]) -> Option<Vec<u8>> {
    let mut cut_tables = 0;
    let mut shorter = Vec::with_capacity(model.len());
    for field in fields(model) {
        let field = field?;
        match field {
            Field { number: MODEL_GRAPH, content: Some(graph), .. } => {
                let mut rest = Vec::with_capacity(graph.len());
                for field in fields(graph) {
                    let field = field?;
                    match field {
                        Field { number: GRAPH_INITIALIZER, content: Some(tensor), .. } => {
                            let shorter = table(tensor, classes, kept)?;
                            cut_tables += usize::from(shorter.is_some());
                            put(&mut rest, GRAPH_INITIALIZER, shorter.as_deref().unwrap_or(tensor));
                        }
                        // Notes on sizes, which would no longer be true.
                        Field { number: GRAPH_VALUE_INFO, .. } => {}
                        other => rest.extend_from_slice(other.whole),
                    }
                }
                put(&mut shorter, MODEL_GRAPH, &rest);
            }
            other => shorter.extend_from_slice(other.whole),
        }
    }
    (cut_tables == 2).then_some(shorter)
}

/// A table of weights with only these of its columns. `None` within when it has other columns.
fn table(tensor: &[u8], classes: usize, kept: &[usize]) -> Option<Option<Vec<u8>>> {
    let (mut dims, mut weights): (Vec<u64>, &[u8]) = (Vec::new(), &[]);
    for field in fields(tensor) {
        match field? {
            Field { number: TENSOR_DIMS, content: Some(packed), .. } => {
                let mut rest = packed;
                while !rest.is_empty() {
                    dims.push(varint(&mut rest)?);
                }
            }
            Field { number: TENSOR_DIMS, value, .. } => dims.push(value),
            Field { number: TENSOR_RAW_DATA, content: Some(raw), .. } => weights = raw,
            _ => {}
        }
    }
    let row = classes * WEIGHT;
    let has_columns = dims.len() <= 2 && dims.last().copied() == u64::try_from(classes).ok();
    if !has_columns || weights.is_empty() || !weights.len().is_multiple_of(row) {
        return Some(None);
    }
    let mut shorter = Vec::new();
    let last = dims.len() - 1;
    dims[last] = kept.len() as u64;
    for dim in dims {
        push_varint(&mut shorter, TENSOR_DIMS << 3);
        push_varint(&mut shorter, dim);
    }
    for field in fields(tensor) {
        let field = field?;
        if field.number != TENSOR_DIMS && field.number != TENSOR_RAW_DATA {
            shorter.extend_from_slice(field.whole);
        }
    }
    let mut columns = Vec::with_capacity(weights.len() / classes * kept.len());
    for row in weights.chunks_exact(row) {
        for class in kept {
            columns.extend_from_slice(row.get(class * WEIGHT..(class + 1) * WEIGHT)?);
        }
    }
    put(&mut shorter, TENSOR_RAW_DATA, &columns);
    Some(Some(shorter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(dims: &[u64], weights: &[f32]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for dim in dims {
            push_varint(&mut bytes, TENSOR_DIMS << 3);
            push_varint(&mut bytes, *dim);
        }
        put(&mut bytes, 8, b"name");
        let raw: Vec<u8> = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        put(&mut bytes, TENSOR_RAW_DATA, &raw);
        bytes
    }

    #[test]
    fn the_last_layer_keeps_the_columns_that_are_asked_for() {
        let mut graph = Vec::new();
        put(&mut graph, GRAPH_INITIALIZER, &tensor(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
        put(&mut graph, GRAPH_INITIALIZER, &tensor(&[3], &[7.0, 8.0, 9.0]));
        put(&mut graph, GRAPH_INITIALIZER, &tensor(&[5], &[0.0; 5]));
        put(&mut graph, GRAPH_VALUE_INFO, b"x");
        let mut model = vec![8, 10];
        put(&mut model, MODEL_GRAPH, &graph);
        let mut expected_graph = Vec::new();
        put(&mut expected_graph, GRAPH_INITIALIZER, &tensor(&[2, 2], &[1.0, 3.0, 4.0, 6.0]));
        put(&mut expected_graph, GRAPH_INITIALIZER, &tensor(&[2], &[7.0, 9.0]));
        put(&mut expected_graph, GRAPH_INITIALIZER, &tensor(&[5], &[0.0; 5]));
        let mut expected = vec![8, 10];
        put(&mut expected, MODEL_GRAPH, &expected_graph);
        assert_eq!(cut(&model, 3, &[0, 2]), Some(expected));
        assert_eq!(cut(&model, 4, &[0, 2]), None);
        assert_eq!(cut(&model[..model.len() - 3], 3, &[0, 2]), None);
        assert_eq!(cut(&[255; 12], 3, &[0]), None);
    }
}
