//! The samples, inside the program so that the demo works wherever it lies.

/// A subject's material.
#[derive(Debug)]
pub(super) struct Subject {
    /// As the catalogue calls it.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) paper: &'static [u8],
    pub(super) scheme: &'static [u8],
    pub(super) scripts: &'static [Script],
}

/// One student's script.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) name: &'static str,
    pub(super) content_type: &'static str,
    pub(super) files: &'static [&'static [u8]],
}

macro_rules! sample {
    ($path:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/", $path)) as &[u8]
    };
}

macro_rules! script {
    ($name:literal, $kind:literal, $($path:literal),+) => {
        Script { name: $name, content_type: $kind, files: &[$(sample!($path)),+] }
    };
}

/// What the subjects are called on the command line.
pub(super) const NAMES: [&str; 2] = ["biology", "mathematics"];

static SUBJECTS: &[Subject] = &[
    Subject {
        name: "Biology",
        title: "Biology, sample paper",
        paper: sample!("biology/paper.pdf"),
        scheme: sample!("biology/scheme.pdf"),
        scripts: &[
            script!("excellent", "application/pdf", "biology/script-excellent.pdf"),
            script!("middling", "application/pdf", "biology/script-middling.pdf"),
            script!("weak", "application/pdf", "biology/script-weak.pdf"),
            script!("boastful", "application/pdf", "biology/script-boastful.pdf"),
            script!("scanned", "application/pdf", "biology/script-scanned.pdf"),
            script!(
                "photographed",
                "image/jpeg",
                "biology/script-photographed-1.jpg",
                "biology/script-photographed-2.jpg",
                "biology/script-photographed-3.jpg",
                "biology/script-photographed-4.jpg"
            ),
        ],
    },
    Subject {
        name: "Mathematics",
        title: "Mathematics, sample paper",
        paper: sample!("mathematics/paper.pdf"),
        scheme: sample!("mathematics/scheme.pdf"),
        scripts: &[
            script!("excellent", "application/pdf", "mathematics/script-excellent.pdf"),
            script!("middling", "application/pdf", "mathematics/script-middling.pdf"),
            script!("weak", "application/pdf", "mathematics/script-weak.pdf"),
            script!("boastful", "application/pdf", "mathematics/script-boastful.pdf"),
            script!("scanned", "application/pdf", "mathematics/script-scanned.pdf"),
            script!(
                "photographed",
                "image/jpeg",
                "mathematics/script-photographed-1.jpg",
                "mathematics/script-photographed-2.jpg",
                "mathematics/script-photographed-3.jpg"
            ),
        ],
    },
];

/// The subjects of these names; without any, all.
pub(super) fn chosen(names: &[String]) -> Vec<&'static Subject> {
    let is_chosen = |subject: &&Subject| names.is_empty() || names.contains(&subject.name.to_lowercase());
    SUBJECTS.iter().filter(is_chosen).collect()
}
