//! Spelling: what is written in two ways, what sounds alike, and what only looks alike.

use crate::Words;

/// One sound in two spellings: "diaphragm", "diafragm".
pub const HEARD_ALIKE: (&str, &str) = ("ph", "f");

/// How chemists spell sulphur: British, American.
pub const SULPHUR: (&str, &str) = ("sulph", "sulf");

/// What is spelled in two ways anywhere in a word: British, American.
pub const ATLANTIC: [(&str, &str); 4] = [SULPHUR, ("haem", "hem"), ("aem", "em"), ("oest", "est")];

/// Endings that are spelled in two ways: British, American.
pub const ATLANTIC_ENDINGS: [(&str, &str); 16] = [
    ("our", "or"),
    ("ours", "ors"),
    ("oured", "ored"),
    ("ouring", "oring"),
    ("tre", "ter"),
    ("tres", "ters"),
    ("yse", "yze"),
    ("ysed", "yzed"),
    ("ise", "ize"),
    ("ised", "ized"),
    ("ising", "izing"),
    ("isation", "ization"),
    ("ogue", "og"),
    ("elled", "eled"),
    ("elling", "eling"),
    ("ence", "ense"),
];

/// Endings that tell substances apart.
pub const TELLING_ENDINGS: Words = Words::of(&[
    "ane", "ene", "yne", "ine", "ide", "ite", "ate", "ase", "ose", "ol", "al", "one", "ium", "ia", "ic",
    "ous", "oid", "yl",
]);

/// Beginnings that turn a word round.
pub const TELLING_BEGINNINGS: [(&str, &str); 10] = [
    ("hyper", "hypo"),
    ("inter", "intra"),
    ("endo", "exo"),
    ("homo", "hetero"),
    ("in", "ex"),
    ("im", "ex"),
    ("ab", "ad"),
    ("de", "in"),
    ("macro", "micro"),
    ("a", "an"),
];

/// Words that differ by a letter or two and by everything else.
pub const LOOK_ALIKES: [Words; 37] = [
    Words::of(&["mitosis", "meiosis", "miosis"]),
    Words::of(&["ureter", "urethra"]),
    Words::of(&["glucose", "glucagon", "glycogen", "glycerol"]),
    Words::of(&["thymine", "thiamine", "thyroxine"]),
    Words::of(&["adsorption", "absorption"]),
    Words::of(&["adsorb", "absorb"]),
    Words::of(&["transcription", "translation"]),
    Words::of(&["fission", "fusion"]),
    Words::of(&["refraction", "reflection", "diffraction"]),
    Words::of(&["refract", "reflect", "diffract"]),
    Words::of(&["refracted", "reflected", "diffracted"]),
    Words::of(&["proton", "photon"]),
    Words::of(&["neutron", "neuron"]),
    Words::of(&["neutrons", "neurons"]),
    Words::of(&["anion", "cation", "onion"]),
    Words::of(&["isotope", "isomer", "isobar"]),
    Words::of(&["ammonia", "ammonium"]),
    Words::of(&["magnesium", "manganese"]),
    Words::of(&["latitude", "altitude", "attitude"]),
    Words::of(&["insulin", "inulin"]),
    Words::of(&["artery", "arteriole"]),
    Words::of(&["bronchi", "bronchiole", "bronchioles"]),
    Words::of(&["principal", "principle"]),
    Words::of(&["affect", "effect"]),
    Words::of(&["affects", "effects"]),
    Words::of(&["conduction", "convection", "connection"]),
    Words::of(&["conductor", "inductor"]),
    Words::of(&["induction", "conduction"]),
    Words::of(&["monomer", "polymer", "dimer"]),
    Words::of(&["inflation", "deflation", "reflation"]),
    Words::of(&["monopoly", "monopsony"]),
    Words::of(&["prophase", "anaphase", "interphase", "metaphase", "telophase"]),
    Words::of(&["weight", "height"]),
    Words::of(&["complement", "compliment"]),
    Words::of(&["stalagmite", "stalactite"]),
    Words::of(&["erosion", "corrosion"]),
    Words::of(&["systole", "diastole"]),
];

/// Endings of one and of several in words from Latin and Greek: "alveolus", "alveoli".
pub const LATIN_PLURALS: [(&str, &str); 5] =
    [("us", "i"), ("um", "a"), ("on", "a"), ("a", "ae"), ("is", "es")];

/// How many adverbs end.
pub const ADVERB: Words = Words::of(&["ly"]);

/// How adjectives end that compare.
pub const COMPARATIVE: Words = Words::of(&["er"]);
