//! A network without its first and last operators: what comes between them, as a file of its own.

use super::super::protobuf::{Field, fields, push_varint, put};
use std::collections::HashSet;
use std::ops::Range;

/// The fields of the messages.
const MODEL_GRAPH: u64 = 7;
const GRAPH_NODE: u64 = 1;
const GRAPH_INITIALIZER: u64 = 5;
const GRAPH_INPUT: u64 = 11;
const GRAPH_OUTPUT: u64 = 12;
const GRAPH_VALUE_INFO: u64 = 13;
const NODE_INPUT: u64 = 1;
const TENSOR_NAME: u64 = 8;
const VALUE_NAME: u64 = 1;
const VALUE_TYPE: u64 = 2;
const TYPE_TENSOR: u64 = 1;
const TENSOR_ELEMENT: u64 = 1;
const FLOAT: u64 = 1;

/// The file with these operators alone, which begins with one value and ends with another.
pub(super) fn between(model: &[u8], nodes: &Range<usize>, input: &str, output: &str) -> Option<Vec<u8>> {
    let mut shorter = Vec::new();
    for field in fields(model) {
        match field? {
            Field { number: MODEL_GRAPH, content: Some(graph), .. } => {
                put(&mut shorter, MODEL_GRAPH, &graph_between(graph, nodes, input, output)?);
            }
            other => shorter.extend_from_slice(other.whole),
        }
    }
    Some(shorter)
}

fn graph_between(graph: &[u8], nodes: &Range<usize>, input: &str, output: &str) -> Option<Vec<u8>> {
    let mut wanted: HashSet<&[u8]> = HashSet::new();
    let all = fields(graph).map_while(|field| field).filter(|field| field.number == GRAPH_NODE);
    for node in all.take(nodes.end).skip(nodes.start) {
        let inputs =
            fields(node.content?).map_while(|field| field).filter(|field| field.number == NODE_INPUT);
        wanted.extend(inputs.filter_map(|field| field.content));
    }
    let (mut shorter, mut seen) = (Vec::new(), 0);
    for field in fields(graph) {
        let field = field?;
        match field {
            Field { number: GRAPH_NODE, .. } => {
                if nodes.contains(&seen) {
                    shorter.extend_from_slice(field.whole);
                }
                seen += 1;
            }
            Field { number: GRAPH_INITIALIZER, content: Some(table), .. } => {
                let mut names = fields(table).flatten().filter(|field| field.number == TENSOR_NAME);
                if names.next().and_then(|name| name.content).is_some_and(|name| wanted.contains(name)) {
                    shorter.extend_from_slice(field.whole);
                }
            }
            // Notes on sizes, and what is now made by others or for others.
            Field { number: GRAPH_INPUT | GRAPH_OUTPUT | GRAPH_VALUE_INFO, .. } => {}
            other => shorter.extend_from_slice(other.whole),
        }
    }
    put(&mut shorter, GRAPH_INPUT, &numbers(input));
    put(&mut shorter, GRAPH_OUTPUT, &numbers(output));
    Some(shorter)
}

/// A value of numbers, whatever its size.
fn numbers(name: &str) -> Vec<u8> {
    let (mut element, mut tensor, mut value) = (Vec::new(), Vec::new(), Vec::new());
    push_varint(&mut element, TENSOR_ELEMENT << 3);
    push_varint(&mut element, FLOAT);
    put(&mut tensor, TYPE_TENSOR, &element);
    put(&mut value, VALUE_NAME, name.as_bytes());
    put(&mut value, VALUE_TYPE, &tensor);
    value
}
