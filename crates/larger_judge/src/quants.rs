//! Rounded numbers, as the file has them, made whole again.

use crate::gguf::Format;

/// Writes the numbers of whole rows.
pub(crate) fn unround(format: Format, bytes: &[u8], out: &mut [f32]) {
    let (numbers, size) = format.block();
    for (block, out) in bytes.chunks_exact(size).zip(out.chunks_exact_mut(numbers)) {
        match format {
            Format::F32 => out[0] = f32::from_le_bytes([block[0], block[1], block[2], block[3]]),
            Format::Q4K => four_bits(block, out),
            Format::Q6K => six_bits(block, out),
        }
    }
}

/// A 16-bit floating point number.
pub(crate) fn half(low: u8, high: u8) -> f32 {
    let bits = u32::from(u16::from_le_bytes([low, high]));
    let (sign, exponent, fraction) = (bits >> 15, (bits >> 10) & 31, bits & 1023);
    let magnitude = match exponent {
        // Below the smallest usual number there are only fractions of it.
        0 => fraction as f32 * 2f32.powi(-24),
        31 => f32::INFINITY,
        _ => f32::from_bits(((exponent + 112) << 23) | (fraction << 13)),
    };
    if sign == 1 { -magnitude } else { magnitude }
}

/// Eight groups of 32 numbers of 4 bits, each with a scale and a least number of 6 bits.
fn four_bits(block: &[u8], out: &mut [f32]) {
    let (scale, least) = (half(block[0], block[1]), half(block[2], block[3]));
    let (packed, numbers) = (&block[4..16], &block[16..144]);
    let group = |index: usize| -> (f32, f32) {
        let (of_scale, of_least) = if index < 4 {
            (packed[index] & 63, packed[index + 4] & 63)
        } else {
            (
                (packed[index + 4] & 15) | ((packed[index - 4] >> 6) << 4),
                (packed[index + 4] >> 4) | ((packed[index] >> 6) << 4),
            )
        };
        (scale * f32::from(of_scale), least * f32::from(of_least))
    };
    for (pair, (numbers, out)) in numbers.chunks_exact(32).zip(out.chunks_exact_mut(64)).enumerate() {
        let ((first, first_least), (second, second_least)) = (group(2 * pair), group(2 * pair + 1));
        let (low, high) = out.split_at_mut(32);
        for (at, &number) in numbers.iter().enumerate() {
            low[at] = first * f32::from(number & 15) - first_least;
            high[at] = second * f32::from(number >> 4) - second_least;
        }
    }
}

/// Sixteen groups of 16 numbers of 6 bits, each with a scale of 8 bits.
fn six_bits(block: &[u8], out: &mut [f32]) {
    let (low, rest) = block.split_at(128);
    let (high, rest) = rest.split_at(64);
    let (scales, scale) = rest.split_at(16);
    let scale = half(scale[0], scale[1]);
    for (part, out) in out.chunks_exact_mut(128).enumerate() {
        let (low, high) = (&low[part * 64..][..64], &high[part * 32..][..32]);
        let group = |index: usize| scale * f32::from(scales[part * 8 + index].cast_signed());
        for at in 0..32 {
            let number =
                |low: u8, shift: u8| f32::from((low | (((high[at] >> shift) & 3) << 4)).cast_signed() - 32);
            let group_of = at / 16;
            out[at] = group(group_of) * number(low[at] & 15, 0);
            out[at + 32] = group(group_of + 2) * number(low[at + 32] & 15, 2);
            out[at + 64] = group(group_of + 4) * number(low[at] >> 4, 4);
            out[at + 96] = group(group_of + 6) * number(low[at + 32] >> 4, 6);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_as_the_standard_says() {
        let cases: [(u16, f32); 6] = [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0, 0.0),
            (0x7bff, 65504.0),
        ];
        for (bits, number) in cases {
            let [low, high] = bits.to_le_bytes();
            assert_eq!(half(low, high), number, "{bits:x}");
        }
    }

    #[test]
    fn four_bits_have_a_scale_and_a_least_number_a_group() {
        let mut block = [0u8; 144];
        [block[0], block[1]] = 0x3c00u16.to_le_bytes();
        [block[2], block[3]] = 0x3800u16.to_le_bytes();
        // The first group: scale 2, least number 3; the fifth: scale 0b010001, least number 0b100010.
        (block[4], block[8], block[12]) = (2 | (1 << 6), 3 | (2 << 6), 1 | (2 << 4));
        block[16] = 0x57;
        block[16 + 64] = 0x04;
        let mut out = [0.0; 256];
        unround(Format::Q4K, &block, &mut out);
        assert_eq!(out[0], 2.0 * 7.0 - 0.5 * 3.0);
        assert_eq!(out[128], 17.0 * 4.0 - 0.5 * 34.0);
    }

    #[test]
    fn six_bits_are_taken_from_two_places() {
        let mut block = [0u8; 210];
        [block[208], block[209]] = 0x3c00u16.to_le_bytes();
        block[192..208].fill(2);
        block[0] = 0x21;
        block[128] = 0b01_00_11_10;
        let mut out = [0.0; 256];
        unround(Format::Q6K, &block, &mut out);
        assert_eq!((out[0], out[64], out[32]), (2.0, 2.0 * (2.0 - 32.0), 2.0 * (48.0 - 32.0)));
    }
}
