//! What flows through a network: maps of numbers, a number of each channel beside the others for every pixel.

use std::ops::{Deref, DerefMut};

/// Several pictures of one size.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Maps {
    pub(in super::super) count: usize,
    pub(in super::super) height: usize,
    pub(in super::super) width: usize,
    pub(in super::super) channels: usize,
    /// Picture by picture, row by row, pixel by pixel, channel by channel.
    pub(in super::super) values: Numbers,
}

/// Numbers in memory that may hold more than are in use: what was given up would have to be filled before it is used again.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Numbers {
    memory: Vec<f32>,
    length: usize,
}

impl Numbers {
    fn zeros(length: usize) -> Numbers {
        Numbers { memory: vec![0.0; length], length }
    }

    /// Those that are in use.
    pub(super) fn into_vec(mut self) -> Vec<f32> {
        self.memory.truncate(self.length);
        self.memory
    }
}

impl Deref for Numbers {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.memory[..self.length]
    }
}

impl DerefMut for Numbers {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.memory[..self.length]
    }
}

impl PartialEq for Numbers {
    fn eq(&self, other: &Numbers) -> bool {
        **self == **other
    }
}

impl Maps {
    pub(in super::super) fn new(count: usize, height: usize, width: usize, channels: usize) -> Maps {
        Maps { count, height, width, channels, values: Numbers::zeros(count * height * width * channels) }
    }

    /// How many numbers a row of pixels has.
    pub(super) fn row(&self) -> usize {
        self.width * self.channels
    }

    /// The numbers of a row of pixels.
    pub(super) fn row_of(&self, picture: usize, y: usize) -> &[f32] {
        let start = (picture * self.height + y) * self.row();
        &self.values[start..start + self.row()]
    }

    pub(super) fn is_like(&self, other: &Maps) -> bool {
        (self.count, self.height, self.width, self.channels)
            == (other.count, other.height, other.width, other.channels)
    }

    /// Picture by picture, channel by channel, row by row.
    pub(super) fn by_channel(&self) -> Vec<f32> {
        let plane = self.height * self.width;
        let mut values = vec![0.0; self.values.len()];
        if self.values.is_empty() {
            return values;
        }
        let pictures = self.values.chunks_exact(plane * self.channels);
        for (from, to) in pictures.zip(values.chunks_exact_mut(plane * self.channels)) {
            for (index, pixel) in from.chunks_exact(self.channels).enumerate() {
                for (channel, value) in pixel.iter().enumerate() {
                    to[channel * plane + index] = *value;
                }
            }
        }
        values
    }
}

/// Pieces of memory that are kept.
const SPARE_MAX: usize = 16;

/// Memory of values that nobody needs any more, for the next ones: fresh memory is dear.
#[derive(Default)]
pub(in super::super) struct Spare(Vec<Vec<f32>>);

impl Spare {
    /// Maps whose numbers are whatever was there before.
    pub(super) fn maps(&mut self, count: usize, height: usize, width: usize, channels: usize) -> Maps {
        Maps { count, height, width, channels, values: self.take(count * height * width * channels) }
    }

    /// A copy.
    pub(super) fn copy(&mut self, maps: &Maps) -> Maps {
        let mut values = self.take(maps.values.len());
        values.copy_from_slice(&maps.values);
        Maps { values, ..*maps }
    }

    /// Maps of the size of others.
    pub(super) fn like(&mut self, maps: &Maps) -> Maps {
        self.maps(maps.count, maps.height, maps.width, maps.channels)
    }

    fn take(&mut self, length: usize) -> Numbers {
        let fitting = self.0.iter().enumerate().filter(|(_, each)| each.capacity() >= length);
        // What a piece lacks must be filled before it is written to, so the one that lacks least comes first.
        let cost = |each: &Vec<f32>| (length.saturating_sub(each.len()), each.capacity());
        let Some((index, _)) = fitting.min_by_key(|(_, each)| cost(each)) else {
            // Not filled by us: the system hands out zeros.
            return Numbers::zeros(length);
        };
        let mut memory = self.0.swap_remove(index);
        memory.resize(memory.len().max(length), 0.0);
        Numbers { memory, length }
    }

    pub(super) fn give(&mut self, maps: Maps) {
        if self.0.len() < SPARE_MAX {
            self.0.push(maps.values.memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_lacks_least_is_used_first() {
        let mut spare = Spare::default();
        let mut shortened = vec![1.0; 40];
        shortened.truncate(4);
        spare.0 = vec![shortened, vec![2.0; 50], vec![3.0; 8]];
        assert_eq!(*spare.take(30), [2.0; 30]);
        assert_eq!(*spare.take(8), [3.0; 8]);
        assert_eq!(*spare.take(4), [1.0; 4]);
        assert_eq!(*spare.take(3), [0.0; 3]);
    }
}
