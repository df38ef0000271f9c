//! What teaches the operator's network to judge: for every matrix a narrow detour beside it, and a head of four verdicts.
//! `training/export_large_judge.py` writes them.

use crate::Error;
use crate::network::{LAYERS, MATRICES, WIDTH};

/// How wide a detour is.
pub(crate) const RANK: usize = 16;
/// How strongly detours count.
const STRENGTH: f32 = 2.0;
/// credited, vague, contradicted, missing.
pub(crate) const VERDICTS: usize = 4;

pub(crate) static BYTES: &[u8] = include_bytes!("../../../models/larger-judge/adapters.bin");

/// A detour beside a matrix: into a few numbers and out again.
#[derive(Debug)]
pub(crate) struct Detour {
    /// `RANK` rows, as long as what comes in.
    pub(crate) inward: Vec<f32>,
    /// `RANK` rows, as long as what goes out.
    pub(crate) outward: Vec<f32>,
}

/// All detours, by layer and matrix, and the head.
#[derive(Debug)]
pub(crate) struct Adapters {
    pub(crate) detours: Vec<[Detour; MATRICES.len()]>,
    pub(crate) head: Vec<f32>,
    pub(crate) head_bias: Vec<f32>,
}

impl Adapters {
    pub(crate) fn load() -> Result<Adapters, Error> {
        let mut rest = BYTES;
        let mut detours = Vec::with_capacity(LAYERS);
        for _ in 0..LAYERS {
            let mut layer = Vec::with_capacity(MATRICES.len());
            for (_, columns, rows) in MATRICES {
                let inward = rounded(&mut rest, columns, 1.0)?;
                layer.push(Detour { inward, outward: rounded(&mut rest, rows, STRENGTH)? });
            }
            detours.push(layer.try_into().map_err(|_| Error::Adapters)?);
        }
        let head = whole(&mut rest, VERDICTS * WIDTH)?;
        let head_bias = whole(&mut rest, VERDICTS)?;
        if rest.is_empty() { Ok(Adapters { detours, head, head_bias }) } else { Err(Error::Adapters) }
    }
}

/// `RANK` rows of 8-bit numbers, then one scale a row.
fn rounded(rest: &mut &[u8], length: usize, strength: f32) -> Result<Vec<f32>, Error> {
    let (numbers, after) = rest.split_at_checked(RANK * length).ok_or(Error::Adapters)?;
    *rest = after;
    let scales = whole(rest, RANK)?;
    let rows = numbers.chunks_exact(length).zip(scales);
    Ok(rows
        .flat_map(|(row, scale)| row.iter().map(move |n| f32::from(n.cast_signed()) * scale * strength))
        .collect())
}

fn whole(rest: &mut &[u8], count: usize) -> Result<Vec<f32>, Error> {
    let (numbers, after) = rest.split_at_checked(count * 4).ok_or(Error::Adapters)?;
    *rest = after;
    Ok(numbers.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect())
}
