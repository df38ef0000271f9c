//! Several ways to one result in one key: "… 960 … 960". An answer goes one of them, and steps of two do not add up.

use domain::marks::Marks;
use domain::scheme::TypedKey;
use std::ops::Range;

/// Takes away what was earned on other ways than the best.
pub(super) fn keep_best(key: &TypedKey, earned: &mut [Marks]) {
    let routes = &key.routes;
    let sum = |route: &Range<usize>, earned: &[Marks]| earned[route.clone()].iter().copied().sum::<Marks>();
    let best = (0..routes.len()).rev().max_by_key(|at| sum(&routes[*at], earned));
    for (at, route) in routes.iter().enumerate() {
        if Some(at) != best {
            earned[route.clone()].fill(Marks::ZERO);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(routes: &[Range<usize>], earned: &[u32]) -> Vec<u32> {
        let mut earned: Vec<Marks> = earned.iter().copied().map(Marks::whole).collect();
        keep_best(&TypedKey { routes: routes.to_vec(), ..TypedKey::default() }, &mut earned);
        earned.into_iter().map(|marks| marks.as_halves() / 2).collect()
    }

    #[test]
    fn steps_of_one_way_count() {
        assert_eq!(kept(&[0..2, 2..5], &[1, 0, 1, 1, 0]), [0, 0, 1, 1, 0]);
        assert_eq!(kept(&[0..2, 2..5], &[1, 1, 0, 0, 1]), [1, 1, 0, 0, 0]);
        assert_eq!(kept(&[], &[1, 1, 1, 1]), [1, 1, 1, 1]);
    }
}
