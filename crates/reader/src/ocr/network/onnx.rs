//! What an ONNX file says: its operators in the order in which they run, and its tables of weights.

use super::super::protobuf::{Field, fields, varint};
use std::collections::HashMap;

/// The fields of the messages.
const MODEL_GRAPH: u64 = 7;
const GRAPH_NODE: u64 = 1;
const GRAPH_INITIALIZER: u64 = 5;
const GRAPH_INPUT: u64 = 11;
const GRAPH_OUTPUT: u64 = 12;
const NODE_INPUT: u64 = 1;
const NODE_OUTPUT: u64 = 2;
const NODE_OPERATOR: u64 = 4;
const NODE_ATTRIBUTE: u64 = 5;
const ATTRIBUTE_NAME: u64 = 1;
const ATTRIBUTE_FLOAT: u64 = 2;
const ATTRIBUTE_INTEGER: u64 = 3;
const ATTRIBUTE_TEXT: u64 = 4;
const ATTRIBUTE_INTEGERS: u64 = 8;
const TENSOR_DIMS: u64 = 1;
const TENSOR_TYPE: u64 = 2;
const TENSOR_FLOATS: u64 = 4;
const TENSOR_NAME: u64 = 8;
const TENSOR_RAW_DATA: u64 = 9;
const VALUE_NAME: u64 = 1;
/// Kinds of tables.
const FLOAT: u64 = 1;
const BYTE: u64 = 2;

/// A network as it is written down.
pub(super) struct Graph<'m> {
    pub(super) nodes: Vec<Node<'m>>,
    pub(super) tables: HashMap<&'m str, Table<'m>>,
    pub(super) input: &'m str,
    pub(super) output: &'m str,
}

/// An operator with the names of what goes in and comes out.
#[derive(Default)]
pub(super) struct Node<'m> {
    pub(super) operator: &'m str,
    pub(super) inputs: Vec<&'m str>,
    pub(super) outputs: Vec<&'m str>,
    attributes: HashMap<&'m str, Attribute<'m>>,
}

#[derive(Default)]
struct Attribute<'m> {
    float: f32,
    integer: u64,
    text: &'m [u8],
    integers: Vec<u64>,
}

/// A table of weights.
pub(super) struct Table<'m> {
    pub(super) dims: Vec<usize>,
    kind: u64,
    bytes: &'m [u8],
}

impl<'m> Graph<'m> {
    /// `None` when the file is broken or no plain network with one input and one output.
    pub(super) fn of(model: &'m [u8]) -> Option<Graph<'m>> {
        let graph = contents(model, MODEL_GRAPH)?.pop()?;
        let nodes = contents(graph, GRAPH_NODE)?.into_iter().map(Node::of).collect::<Option<Vec<_>>>()?;
        let tables = contents(graph, GRAPH_INITIALIZER)?;
        let tables: HashMap<_, _> = tables.into_iter().map(Table::of).collect::<Option<_>>()?;
        let name = |value: &'m [u8]| text(contents(value, VALUE_NAME)?.pop()?);
        let inputs = contents(graph, GRAPH_INPUT)?.into_iter().map(name).collect::<Option<Vec<_>>>()?;
        let mut inputs = inputs.into_iter().filter(|input| !tables.contains_key(input));
        let outputs = contents(graph, GRAPH_OUTPUT)?.into_iter().map(name).collect::<Option<Vec<_>>>()?;
        match (inputs.next(), inputs.next(), outputs.as_slice()) {
            (Some(input), None, [output]) => Some(Graph { nodes, tables, input, output }),
            _ => None,
        }
    }
}

impl<'m> Node<'m> {
    fn of(message: &'m [u8]) -> Option<Node<'m>> {
        let mut node = Node::default();
        for field in fields(message) {
            match field? {
                Field { number: NODE_INPUT, content: Some(name), .. } => node.inputs.push(text(name)?),
                Field { number: NODE_OUTPUT, content: Some(name), .. } => node.outputs.push(text(name)?),
                Field { number: NODE_OPERATOR, content: Some(name), .. } => node.operator = text(name)?,
                Field { number: NODE_ATTRIBUTE, content: Some(attribute), .. } => {
                    let (name, attribute) = Attribute::of(attribute)?;
                    node.attributes.insert(name, attribute);
                }
                _ => {}
            }
        }
        Some(node)
    }

    /// What comes out, where it is one value.
    pub(super) fn output(&self) -> &'m str {
        self.outputs.first().copied().unwrap_or_default()
    }

    pub(super) fn float(&self, name: &str) -> Option<f32> {
        self.attributes.get(name).map(|attribute| attribute.float)
    }

    pub(super) fn integer(&self, name: &str) -> Option<u64> {
        self.attributes.get(name).map(|attribute| attribute.integer)
    }

    pub(super) fn text(&self, name: &str) -> Option<&'m str> {
        text(self.attributes.get(name)?.text)
    }

    pub(super) fn integers(&self, name: &str) -> Option<Vec<usize>> {
        self.attributes.get(name)?.integers.iter().map(|value| usize::try_from(*value).ok()).collect()
    }
}

impl<'m> Attribute<'m> {
    fn of(message: &'m [u8]) -> Option<(&'m str, Attribute<'m>)> {
        let (mut name, mut attribute) = ("", Attribute::default());
        for field in fields(message) {
            match field? {
                Field { number: ATTRIBUTE_NAME, content: Some(content), .. } => name = text(content)?,
                Field { number: ATTRIBUTE_FLOAT, content: Some(content), .. } => {
                    attribute.float = f32::from_le_bytes(content.try_into().ok()?);
                }
                Field { number: ATTRIBUTE_INTEGER, value, .. } => attribute.integer = value,
                Field { number: ATTRIBUTE_TEXT, content: Some(content), .. } => attribute.text = content,
                Field { number: ATTRIBUTE_INTEGERS, content, value, .. } => {
                    push_integers(&mut attribute.integers, content, value)?;
                }
                _ => {}
            }
        }
        Some((name, attribute))
    }
}

impl<'m> Table<'m> {
    fn of(message: &'m [u8]) -> Option<(&'m str, Table<'m>)> {
        let (mut name, mut dims) = ("", Vec::new());
        let mut table = Table { dims: Vec::new(), kind: 0, bytes: &[] };
        for field in fields(message) {
            match field? {
                Field { number: TENSOR_DIMS, content, value, .. } => {
                    push_integers(&mut dims, content, value)?;
                }
                Field { number: TENSOR_TYPE, value, .. } => table.kind = value,
                Field { number: TENSOR_NAME, content: Some(content), .. } => name = text(content)?,
                Field { number: TENSOR_RAW_DATA | TENSOR_FLOATS, content: Some(content), .. } => {
                    table.bytes = content;
                }
                _ => {}
            }
        }
        table.dims = dims.iter().map(|dim| usize::try_from(*dim).ok()).collect::<Option<_>>()?;
        Some((name, table))
    }

    /// What it holds, where that is numbers with a point, as many as its size asks for.
    pub(super) fn floats(&self) -> Option<Vec<f32>> {
        let (values, rest) = self.bytes.as_chunks();
        let is_whole = self.kind == FLOAT && rest.is_empty() && Some(values.len()) == self.len();
        is_whole.then(|| values.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    /// The same for bytes.
    pub(super) fn bytes(&self) -> Option<&'m [u8]> {
        (self.kind == BYTE && Some(self.bytes.len()) == self.len()).then_some(self.bytes)
    }

    fn len(&self) -> Option<usize> {
        self.dims.iter().try_fold(1usize, |product, dim| product.checked_mul(*dim))
    }
}

fn push_integers(integers: &mut Vec<u64>, content: Option<&[u8]>, value: u64) -> Option<()> {
    let Some(mut rest) = content else {
        integers.push(value);
        return Some(());
    };
    while !rest.is_empty() {
        integers.push(varint(&mut rest)?);
    }
    Some(())
}

/// What the fields of a number hold.
fn contents(message: &[u8], number: u64) -> Option<Vec<&[u8]>> {
    let found = fields(message).filter(|field| field.as_ref().is_none_or(|field| field.number == number));
    found.map(|field| field?.content).collect()
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}
