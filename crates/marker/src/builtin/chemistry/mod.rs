//! Chemical formulae and equations: atoms, charges, state symbols and balance.

mod elements;
mod equation;
mod formula;

pub(crate) use equation::{ChemicalKey, balance_of, is_other_formula};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::demand::Demands;
    use crate::builtin::verdict::{ALWAYS, Grant, LENIENT, NEVER, STANDARD};

    fn grant(key: &str, answer: &str, question: &str) -> Grant {
        let key = ChemicalKey::parse(key, true).unwrap_or_else(|| panic!("{key} is chemistry"));
        key.judge(answer, &Demands::of(question)).grant
    }

    #[test]
    fn formulae_are_their_atoms_and_charges() {
        for (key, answer) in [
            ("H2SO4", "H2SO4"),
            ("Ca(OH)2", "Ca(OH)2"),
            ("SO4^2-", "SO42-"),
            ("Ca^2+", "Ca2+"),
            ("NH4+", "NH4^+"),
            ("CuSO4.5H2O", "CuSO4·5H2O"),
            ("CO2", "The gas is CO2."),
        ] {
            assert_eq!(grant(key, answer, ""), ALWAYS, "{key} / {answer}");
        }
        for (key, answer) in [
            ("CO2", "CO"),
            ("Co", "CO"),
            ("CO2", "C2O"),
            ("Na+", "Na"),
            ("SO4^2-", "SO3^2-"),
            ("CO2", "CO2 or H2O"),
        ] {
            assert_eq!(grant(key, answer, ""), NEVER, "{key} / {answer}");
        }
        assert_eq!(grant("NaCl", "NACL", ""), LENIENT);
        assert_eq!(grant("C2H5OH", "CH3CH2OH", ""), STANDARD);
    }

    #[test]
    fn words_beside_a_formula_do_not_make_another_one_right() {
        let wordings = ["CH3CH2CH2COOH", "full structural formula with all bonds shown"];
        let is_other = |answer| is_other_formula(wordings.into_iter(), answer);
        for other in ["CH3CH2COOH", "CH3CH2CH2CH2OH", "H2O"] {
            assert!(is_other(other), "{other}");
        }
        for not in ["CH3CH2CH2COOH", "C3H7COOH", "butanoic acid", "four carbons in a chain, the last as COOH"]
        {
            assert!(!is_other(not), "{not}");
        }
        assert!(!is_other_formula(["an acid", "a carboxyl group"].into_iter(), "CH3COOH"));
    }

    #[test]
    fn equations_balance_in_any_multiple_and_order() {
        let key = "2H2 + O2 → 2H2O";
        for answer in [
            "O2 + 2H2 → 2H2O",
            "2H2 + O2 -> 2H2O",
            "4H2 + 2O2 = 4H2O",
            "H2 + 1/2O2 → H2O",
            "2H2(g) + O2(g) → 2H2O(l)",
        ] {
            assert_eq!(grant(key, answer, ""), ALWAYS, "{answer}");
        }
        for answer in ["H2 + O2 → H2O", "2H2O → 2H2 + O2", "2H2 + O2 → H2O2", "2H + O → H2O"] {
            assert_eq!(grant(key, answer, ""), NEVER, "{answer}");
        }
    }

    #[test]
    fn state_symbols_count_when_they_are_asked_for() {
        let key = "Mg(s) + 2HCl(aq) → MgCl2(aq) + H2(g)";
        let asked = "Write the equation, with state symbols.";
        assert_eq!(grant(key, "Mg(s) + 2HCl(aq) → MgCl2(aq) + H2(g)", asked), ALWAYS);
        assert_eq!(grant(key, "Mg + 2HCl → MgCl2 + H2", asked), LENIENT);
        assert_eq!(grant(key, "Mg + 2HCl → MgCl2 + H2", ""), STANDARD);
        assert_eq!(grant(key, "Mg(s) + 2HCl(l) → MgCl2(aq) + H2(g)", asked), LENIENT);
    }
}
