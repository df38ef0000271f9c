//! Letters without their accents.

/// Lower case, with accents taken off Latin and Greek letters: "Lösung" is "losung", "Μονάδες" is "μοναδεσ".
pub fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).flat_map(bare).collect()
}

/// The letter or letters that an accented one is written with where accents are left out.
fn bare(letter: char) -> impl Iterator<Item = char> {
    let (first, second) = match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ą' => ('a', None),
        'ç' | 'ć' | 'č' => ('c', None),
        'è' | 'é' | 'ê' | 'ë' | 'ę' | 'ě' => ('e', None),
        'ì' | 'í' | 'î' | 'ï' => ('i', None),
        'ñ' | 'ń' | 'ň' => ('n', None),
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => ('o', None),
        'ś' | 'š' | 'ș' | 'ş' => ('s', None),
        'ù' | 'ú' | 'û' | 'ü' => ('u', None),
        'ý' | 'ÿ' => ('y', None),
        'ź' | 'ż' | 'ž' => ('z', None),
        'ł' => ('l', None),
        'ț' | 'ţ' => ('t', None),
        'ά' => ('α', None),
        'έ' => ('ε', None),
        'ή' => ('η', None),
        'ί' | 'ϊ' | 'ΐ' => ('ι', None),
        'ό' => ('ο', None),
        'ύ' | 'ϋ' | 'ΰ' => ('υ', None),
        'ώ' => ('ω', None),
        'ς' => ('σ', None),
        'ß' => ('s', Some('s')),
        'œ' => ('o', Some('e')),
        'æ' => ('a', Some('e')),
        other => (other, None),
    };
    std::iter::once(first).chain(second)
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn accents_come_off() {
        assert_eq!(fold("Lösung Größe Réponse część"), "losung grosse reponse czesc");
        assert_eq!(fold("Μονάδες"), fold("ΜΟΝΑΔΕΣ"));
    }
}
