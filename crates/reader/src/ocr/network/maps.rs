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

/// The numbers of maps.
pub(in super::super) type Numbers = Kept<f32>;

/// Values in memory that may hold more than are in use: what was given up would have to be filled before it is used again.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Kept<T> {
    memory: Vec<T>,
    length: usize,
}

impl<T: Copy + Default> Kept<T> {
    /// From now on so many are in use, which are whatever was there before.
    pub(super) fn resize(&mut self, length: usize) {
        if self.memory.len() < length {
            self.memory.resize(length, T::default());
        }
        self.length = length;
    }

    /// Those that are in use.
    pub(super) fn into_vec(mut self) -> Vec<T> {
        self.memory.truncate(self.length);
        self.memory
    }
}

impl<T> From<Vec<T>> for Kept<T> {
    fn from(memory: Vec<T>) -> Kept<T> {
        Kept { length: memory.len(), memory }
    }
}

impl<T> Deref for Kept<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.memory[..self.length]
    }
}

impl<T> DerefMut for Kept<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.memory[..self.length]
    }
}

impl<T: PartialEq> PartialEq for Kept<T> {
    fn eq(&self, other: &Kept<T>) -> bool {
        **self == **other
    }
}

impl Maps {
    pub(in super::super) fn new(count: usize, height: usize, width: usize, channels: usize) -> Maps {
        Maps { count, height, width, channels, values: vec![0.0; count * height * width * channels].into() }
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
            return vec![0.0; length].into();
        };
        let mut numbers = Numbers::from(self.0.swap_remove(index));
        numbers.resize(length);
        numbers
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
