//! Products of prime factors: 2^3 × 3^2 × 5 is one, 36 × 10 is none, though both are 360.

/// Larger factors are not tried: no paper asks for them.
const FACTOR_MAX: u32 = 1_000_000;

/// True when some line, or some side of an equation, is a product of primes.
pub(crate) fn has_prime_product(answer: &str) -> bool {
    answer.split(['\n', '=', ';']).any(|side| {
        let bases = bases(side);
        let is_product = bases.len() >= 2 || (side.contains('^') && !bases.is_empty());
        is_product && bases.into_iter().all(is_prime)
    })
}

/// The whole numbers of a text that are no exponents.
fn bases(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    let mut before = ' ';
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        before = rest[..start].trim_end().chars().next_back().unwrap_or(before);
        let digits = rest[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - start);
        if before != '^' {
            found.extend(rest[start..start + digits].parse::<u32>());
        }
        rest = &rest[start + digits..];
        before = ' ';
    }
    found
}

fn is_prime(number: u32) -> bool {
    let divisors = 2..=number.min(FACTOR_MAX).isqrt();
    (2..=FACTOR_MAX).contains(&number) && divisors.into_iter().all(|divisor| !number.is_multiple_of(divisor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_primes_are_factors() {
        for product in ["2^3 * 3^2 * 5", "2 × 2 × 2 × 3 × 3 × 5", "360 = 2^3 × 3^2 × 5", "2^5"] {
            assert!(has_prime_product(product), "{product}");
        }
        for other in ["36 × 10", "360", "2^2 × 9 × 10", "", "4 × 90\n360"] {
            assert!(!has_prime_product(other), "{other}");
        }
    }
}
