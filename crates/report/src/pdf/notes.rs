//! Where notes go in a margin: each as near to what it is about as it can be, none over another.

/// A note that is to be placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wish {
    /// Where its top should be.
    pub(super) top: f32,
    /// How high it is.
    pub(super) height: f32,
}

/// The tops of the notes, in the same order. Notes come in the order of their wishes from the top down.
///
/// They stay between `from` and `to` when their heights and gaps fit in between; else the last ones stick
/// out at the bottom.
pub(super) fn place(wishes: &[Wish], from: f32, to: f32, gap: f32) -> Vec<f32> {
    let mut tops = Vec::with_capacity(wishes.len());
    let mut free = from;
    for wish in wishes {
        let top = wish.top.max(free);
        tops.push(top);
        free = top + wish.height + gap;
    }
    // Those that were pushed out below push the others up again, as far as there is room.
    let mut limit = to;
    for (top, wish) in tops.iter_mut().zip(wishes).rev() {
        *top = top.min(limit - wish.height);
        limit = *top - gap;
    }
    // Too much for the column: the first must not stick out at the top.
    let mut free = from;
    for (top, wish) in tops.iter_mut().zip(wishes) {
        *top = top.max(free);
        free = *top + wish.height + gap;
    }
    tops
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn notes_stay_beside_what_they_are_about_when_they_can() {
        let wishes = [Wish { top: 10.0, height: 20.0 }, Wish { top: 50.0, height: 20.0 }];
        assert_eq!(place(&wishes, 0.0, 100.0, 4.0), [10.0, 50.0]);
    }

    #[test]
    fn notes_make_room_for_each_other() {
        let wishes = [Wish { top: 80.0, height: 20.0 }, Wish { top: 82.0, height: 20.0 }];
        assert_eq!(place(&wishes, 0.0, 100.0, 4.0), [56.0, 80.0]);
    }

    proptest! {
        #[test]
        fn notes_never_overlap_and_stay_in_the_column_when_they_fit(
            mut wishes in prop::collection::vec((0.0_f32..500.0, 5.0_f32..60.0), 0..16),
        ) {
            wishes.sort_by(|a, b| a.0.total_cmp(&b.0));
            let wishes: Vec<Wish> = wishes.into_iter().map(|(top, height)| Wish { top, height }).collect();
            let tops = place(&wishes, 0.0, 500.0, 4.0);
            for index in 1..tops.len() {
                prop_assert!(tops[index] >= tops[index - 1] + wishes[index - 1].height + 4.0 - 0.01);
            }
            let needed: f32 = wishes.iter().map(|wish| wish.height + 4.0).sum();
            if needed <= 500.0 && !wishes.is_empty() {
                let last = tops.len() - 1;
                prop_assert!(tops[0] >= 0.0 && tops[last] + wishes[last].height <= 500.01);
            }
        }
    }
}
