//! The ledger's laws, by example and by property.

use super::*;
use proptest::prelude::*;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn with(available: u64) -> Balance {
    Balance { available: Credits(available), ..Balance::default() }
}

#[test]
fn a_hold_needs_available_credits() {
    let mut ledger = Ledger::open(with(10), at(0));
    ledger.hold(Credits(7)).unwrap();
    assert_eq!(
        ledger.hold(Credits(4)),
        Err(Refusal::InsufficientCredits { needed: Credits(4), available: Credits(3) })
    );
    assert!(ledger.movements().is_empty(), "holds are no transactions");
}

#[test]
fn expired_credits_that_would_have_covered_it_are_named() {
    let balance = Balance { valid_until: Some(at(100)), ..with(10) };
    let mut ledger = Ledger::open(balance, at(100));
    assert_eq!(
        ledger.hold(Credits(10)),
        Err(Refusal::CreditsExpired { needed: Credits(10), ended_at: at(100) })
    );
    assert_eq!(
        ledger.hold(Credits(11)),
        Err(Refusal::InsufficientCredits { needed: Credits(11), available: Credits(0) })
    );
    assert_eq!(ledger.balance().expired, Credits(10));
    assert_eq!(
        ledger.movements(),
        [Movement { kind: MovementKind::Expiry, amount: -10, balance_after: Credits(0) }]
    );
}

#[test]
fn held_credits_stay_chargeable_after_the_date() {
    let balance = Balance { valid_until: Some(at(100)), ..with(10) };
    let mut ledger = Ledger::open(balance, at(0));
    let hold = ledger.hold(Credits(4)).unwrap();
    let mut ledger = Ledger::open(ledger.balance(), at(200));
    ledger.charge(hold, MovementKind::Grading);
    let amounts: Vec<_> =
        ledger.movements().iter().map(|movement| (movement.kind, movement.amount)).collect();
    assert_eq!(amounts, [(MovementKind::Expiry, -6), (MovementKind::Grading, -4)]);
    assert_eq!(ledger.balance().total(), Credits(6));
}

#[test]
fn a_hold_given_back_after_the_date_goes_to_expired_even_after_a_top_up() {
    let balance = Balance { valid_until: Some(at(100)), ..with(10) };
    let mut ledger = Ledger::open(balance, at(0));
    let hold = ledger.hold(Credits(4)).unwrap();
    let mut ledger = Ledger::open(ledger.balance(), at(200));
    ledger.top_up(Credits(5), Some(at(1000))).unwrap();
    ledger.give_back(hold);
    assert_eq!(ledger.balance().available, Credits(5));
    assert_eq!(ledger.balance().expired, Credits(10));
    assert_eq!(ledger.movements().last().unwrap().kind, MovementKind::Expiry);
}

#[test]
fn a_hold_given_back_in_time_is_available_again() {
    let mut ledger = Ledger::open(with(10), at(0));
    let hold = ledger.hold(Credits(4)).unwrap();
    ledger.give_back(hold);
    assert_eq!(ledger.balance(), with(10));
    assert!(ledger.movements().is_empty());
}

#[test]
fn a_top_up_renews_the_date_but_revives_nothing() {
    let balance = Balance { valid_until: Some(at(100)), ..with(10) };
    let mut ledger = Ledger::open(balance, at(150));
    ledger.top_up(Credits(3), None).unwrap();
    assert_eq!(ledger.balance().valid_until, None);
    assert_eq!((ledger.balance().available, ledger.balance().expired), (Credits(3), Credits(10)));
    assert_eq!(ledger.revive(Some(at(500))), Credits(10));
    assert_eq!(ledger.balance().available, Credits(13));
    assert_eq!(ledger.movements().last().unwrap().kind, MovementKind::Adjustment);
}

#[test]
fn the_warning_comes_once_for_each_end() {
    let week = EXPIRY_WARNING.as_secs();
    let balance = Balance { valid_until: Some(at(week)), ..with(10) };
    assert!(!balance.is_warning_due(at(-1)));
    assert!(balance.is_warning_due(at(0)));
    assert!(!balance.is_warning_due(at(week)), "too late to warn");
    let mut ledger = Ledger::open(balance, at(0));
    ledger.warned();
    assert!(!ledger.balance().is_warning_due(at(1)));
    ledger.top_up(Credits(1), Some(at(week + 5))).unwrap();
    assert!(ledger.balance().is_warning_due(at(5)));
}

#[test]
fn the_sweep_looks_first_to_warn_then_at_the_end_then_never() {
    let week = EXPIRY_WARNING.as_secs();
    let mut ledger = Ledger::open(Balance { valid_until: Some(at(week + 10)), ..with(10) }, at(0));
    assert_eq!(ledger.balance().due_at(), Some(at(10)));
    ledger.warned();
    assert_eq!(ledger.balance().due_at(), Some(at(week + 10)));
    let ended = Ledger::open(ledger.balance(), at(week + 10)).balance();
    assert_eq!(ended.due_at(), None);
    assert_eq!(with(10).due_at(), None);
}

#[test]
fn adjusting_never_goes_below_zero() {
    let mut ledger = Ledger::open(with(3), at(0));
    assert!(ledger.adjust(-4).is_err());
    ledger.adjust(-3).unwrap();
    assert_eq!(ledger.balance().available, Credits::ZERO);
    assert!(ledger.adjust(i64::MIN).is_err());
    assert!(ledger.adjust(i64::MAX).is_err());
}

#[derive(Clone, Debug)]
enum Step {
    TopUp(u64, Option<i64>),
    Adjust(i64),
    Hold(u64),
    Charge(usize),
    GiveBack(usize),
    Revive,
    Wait(i64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (0_u64..100, proptest::option::of(0_i64..200)).prop_map(|(amount, end)| Step::TopUp(amount, end)),
        (-50_i64..50).prop_map(Step::Adjust),
        (0_u64..40).prop_map(Step::Hold),
        (0_usize..8).prop_map(Step::Charge),
        (0_usize..8).prop_map(Step::GiveBack),
        Just(Step::Revive),
        (0_i64..60).prop_map(Step::Wait),
    ];
    proptest::collection::vec(step, 0..60)
}

proptest! {
    /// Whatever happens: the movements add up to the usable credits, each `balance_after` is right, held is
    /// the sum of the open holds, and credits are made by top-ups and adjustments alone.
    #[test]
    fn the_ledger_always_balances(steps in steps()) {
        let (mut balance, mut now, mut holds) = (Balance::default(), 0, Vec::<Hold>::new());
        let (mut usable, mut made) = (0_i64, 0_i64);
        for step in steps {
            let mut ledger = Ledger::open(balance, at(now));
            match step {
                Step::TopUp(amount, end) => {
                    ledger.top_up(Credits(amount), end.map(|end| at(now + end))).unwrap();
                    made += amount.cast_signed();
                }
                Step::Adjust(amount) => made += ledger.adjust(amount).map_or(0, |()| amount),
                Step::Hold(cost) => holds.extend(ledger.hold(Credits(cost)).ok()),
                Step::Charge(index) if index < holds.len() => {
                    let hold = holds.swap_remove(index);
                    ledger.charge(hold, MovementKind::Grading);
                    made -= hold.credits.signed();
                }
                Step::GiveBack(index) if index < holds.len() => ledger.give_back(holds.swap_remove(index)),
                Step::Revive => { ledger.revive(None); }
                Step::Wait(seconds) => now += seconds,
                Step::Charge(_) | Step::GiveBack(_) => {}
            }
            for movement in ledger.movements() {
                usable += movement.amount;
                prop_assert!(movement.amount != 0);
                prop_assert_eq!(movement.balance_after.signed(), usable);
            }
            balance = ledger.balance();
            prop_assert_eq!(balance.usable().signed(), usable);
            prop_assert_eq!(balance.total().signed(), made);
            prop_assert_eq!(balance.held, Credits(holds.iter().map(|hold| hold.credits.0).sum()));
        }
    }
}
