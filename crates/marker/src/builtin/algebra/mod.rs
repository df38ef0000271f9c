//! Formulae, equations and inequalities: read, and compared by what they say rather than how they look.

mod compare;
mod functions;
mod inequality;
mod judge;
mod lex;
mod parse;
mod quantities;
mod shape;
mod turned;
mod value;
mod working;

pub(crate) use functions::MATHEMATICAL;
pub(crate) use judge::AlgebraKey;
pub(crate) use turned::written_otherwise;
pub(crate) use working::{constant_of, has_step, recalculated};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::demand::Demands;
    use crate::builtin::verdict::{ALWAYS, Grant, LENIENT, NEVER, STANDARD};

    fn grant(key: &str, answer: &str, question: &str) -> Grant {
        let key = AlgebraKey::parse(key, true).unwrap_or_else(|| panic!("{key} is mathematics"));
        key.judge(answer, &Demands::of(question), false).grant
    }

    #[test]
    fn equal_expressions_are_equal_in_any_form() {
        for (key, answer) in [
            ("2x + 3", "3 + 2x"),
            ("(x + 1)(x - 2)", "x^2 - x - 2"),
            ("x^2/4", "(x/2)^2"),
            ("3sin^2 x", "3(1 - cos^2 x)"),
            ("(2/3)ln 4", "2ln(4)/3"),
            ("2x - 2 - 12x^(-1/2)", "2x - 2 - 12/√x"),
            ("y = 2x + 3", "2x - y + 3 = 0"),
            ("x = 5", "5 = x"),
            ("x = 2, x = -3", "x = -3 or x = 2"),
            ("x = 2 or x = -3", "-3, 2"),
            ("x > 3", "3 < x"),
            ("-1 < x ≤ 4", "x > -1 and x ≤ 4"),
            ("-1 < x ≤ 4", "(-1, 4]"),
            ("(3, -2)", "(3,-2)"),
            ("density = mass/volume", "ρ = m/V"),
            ("charge (transferred) = current x time", "Q = It"),
            ("x = 3 ± √5", "3 + √5, 3 - √5"),
            ("1/(2x)", "1/2x"),
            ("vf = bu/(b + 1)", "v_f = bu/(1 + b)"),
            ("v = (v0)/2", "mg/2 = Rv so v = v0/2."),
            ("m = (2v0R)/g", "so dp = 2 v0 dm and F = 2 R v0 = mg, m = 2Rv0/g (twice as much)"),
            ("S = {(2, 7), (2, 9), (4, 7)}", "{(4,7), (2,9), (2,7)}"),
        ] {
            assert_eq!(grant(key, answer, ""), ALWAYS, "{key} / {answer}");
        }
    }

    #[test]
    fn other_names_and_decimal_commas_are_read() {
        assert_eq!(grant("Y/X = z^2/(z^2 - z - 1)", "H = 1/(1 - z^-1 - z^-2)", ""), STANDARD);
        assert_eq!(grant("Y/X = a/(1 + a)", "H = a/(1 - a)", ""), NEVER);
        assert_eq!(grant("y/3 = 2x + 1", "y = 2x + 1", ""), NEVER, "a name of the scheme's own");
        assert_eq!(grant("y - 3 = 2(x - 1)", "y = 2(x - 1)", ""), NEVER);
        assert_eq!(grant("y - 3 = 2(x - 1)", "d = 2(x - 1)", ""), NEVER, "no ratio");
        assert_eq!(grant("φ = -π/10", "φ = -0,1π", ""), STANDARD);
        assert_eq!(grant("0.025 x 367 = 9.175", "0.1 x 367 = 36.7, so 9", ""), NEVER, "its x multiplies");
    }

    #[test]
    fn other_expressions_are_not() {
        for (key, answer) in [
            ("2x + 3", "2x - 3"),
            ("x = 5", "2x = 10"),
            ("x = 5", "x = 5 or x = 4"),
            ("x = 2, x = -3", "x = 2"),
            ("x > 3", "x < 3"),
            ("(3, -2)", "(-2, 3)"),
            ("density = mass/volume", "density = volume/mass"),
            ("ln x", "log x"),
            ("vf = bu/(b + 1)", "v_f = bu/(b - 1)"),
            ("S = {(2, 7), (2, 9), (4, 7)}", "S = {(2,7), (4,7)}"),
            ("S = {(2, 7), (2, 9)}", "S = {(2,7), (2,9), (9,2)}"),
        ] {
            assert_eq!(grant(key, answer, ""), NEVER, "{key} / {answer}");
        }
        assert_eq!(grant("x > 3", "x ≥ 3", ""), LENIENT);
        assert_eq!(grant("y = 2x + 3", "2x + 3", ""), LENIENT);
    }

    #[test]
    fn the_form_that_was_asked_for_is_needed() {
        assert_eq!(grant("(x + 2)(x + 3)", "x^2 + 5x + 6", "Factorise x^2 + 5x + 6"), NEVER);
        assert_eq!(grant("(x + 2)(x + 3)", "(x+3)(x+2)", "Factorise x^2 + 5x + 6"), ALWAYS);
        assert_eq!(grant("5x", "3x + 2x", "Simplify 3x + 2x"), NEVER);
    }

    #[test]
    fn words_around_and_working_before_do_not_matter() {
        assert_eq!(grant("x = 5", "2x = 10\nso x = 5", "Solve 2x = 10"), ALWAYS);
        assert_eq!(grant("x = 5", "The answer is x = 5.", ""), ALWAYS);
        assert_eq!(grant("x = 5", "x = 5\nx = 6", ""), NEVER);
    }

    #[test]
    fn the_last_clause_of_a_line_that_mixes_words_and_working_counts() {
        let solved = "Area: (1/2) a^2 b = 7. Both sides: 2a = 4b, so b is half of a. Then a^3 = 28, a = √17";
        assert_eq!(grant("a = √17", solved, ""), ALWAYS);
        assert_eq!(grant("a = √19", solved, ""), NEVER);
        let chain =
            "The integral from 1 to 3 is twice the log = 2 ln 6 - 2 ln 2 = 2 ln 3, which has no k in it";
        assert_eq!(grant("2 ln 3", chain, ""), ALWAYS);
        assert_eq!(grant("2 ln 4", chain, ""), NEVER);
    }

    #[test]
    fn choices_are_counted_where_they_are_factors() {
        for (key, answer) in [
            ("9C2 × 0.4^2 × 0.6^7", "36 × 0.4^2 × 0.6^7"),
            ("9 C2 0.4^2 0.6^7 + 9 C3 0.4^3 0.6^6", "9C2 * 0.4^2 * 0.6^7 + 9C3 * 0.4^3 * 0.6^6"),
            ("5P2 × 3!", "20 × 6"),
        ] {
            let key = constant_of(&signs::form::normal(key)).unwrap().0;
            assert!((key - constant_of(&signs::form::normal(answer)).unwrap().0).abs() < 1e-9);
        }
        for code in ["8C3", "2C9", "1F + 8C3"] {
            assert!(constant_of(code).is_none(), "{code} is of base sixteen");
        }
    }

    #[test]
    fn prose_is_no_mathematics() {
        for prose in
            ["osmosis", "heat/thermal energy", "oxygen, water", "the rate increases", "not independent"]
        {
            assert!(AlgebraKey::parse(prose, false).is_none(), "{prose}");
        }
    }

    #[test]
    fn nothing_that_can_be_typed_exhausts_the_stack() {
        let deep = "(".repeat(5000);
        assert!(AlgebraKey::parse(&deep, true).is_none());
        assert!(AlgebraKey::parse(&"-".repeat(250), true).is_none());
        assert!(AlgebraKey::parse(&"2^".repeat(140), true).is_none());
    }
}
