"""Makes every file of the samples: python samples/make/make.py

Run it in a virtual environment with the packages of requirements.txt. The print is set in Liberation Sans and
DejaVu Sans (Debian: fonts-liberation, fonts-dejavu-core); the hands are in fonts/, with their licences.
"""

import json
import pathlib
import tempfile

from fontTools.ttLib import TTFont as Font
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont

import biology
import mathematics
import picture
import scheme
import script
from sheet import Paper

HERE = pathlib.Path(__file__).parent
SYSTEM = pathlib.Path("/usr/share/fonts/truetype")
TYPED_ON = {"excellent": script.on_paper, "middling": script.on_sheets, "weak": script.on_sheets,
            "boastful": script.on_paper}


def hand(name, folder, **kind):
    """A hand whose font is unpacked from its web form."""
    path = folder / f"{name}.ttf"
    if not path.exists():
        font = Font(HERE / "fonts" / f"{name}-latin-400-normal.woff2")
        font.flavor = None
        font.save(path)
    return picture.Hand(str(path), **kind)


def make(subject, folder, seed):
    target = HERE.parent / subject.folder
    target.mkdir(exist_ok=True)
    for old in target.iterdir():
        old.unlink()
    printed = str(target / "paper.pdf")
    paper = Paper(subject, printed)
    scheme.draw(subject, str(target / "scheme.pdf"))
    for kind, draw in TYPED_ON.items():
        draw(subject, subject.scripts[kind], str(target / f"script-{kind}.pdf"))
    blue = hand("patrick-hand", folder, size=15, ink=(28, 38, 120), seed=seed)
    pages = picture.filled_pages(paper, printed, subject.scripts["scanned"], blue)
    picture.scan(pages, str(target / "script-scanned.pdf"), seed)
    black = hand("kalam", folder, size=14, ink=(30, 30, 36), seed=seed + 1)
    pages = picture.filled_pages(paper, printed, subject.scripts["photographed"], black)
    for number, page in enumerate(pages[1:], 1):
        picture.photograph(page, str(target / f"script-photographed-{number}.jpg"), seed + number)
    (target / "expected.json").write_text(json.dumps(expected(subject), indent=1, ensure_ascii=False) + "\n")


def expected(subject):
    """What the files hold, and the marks that we gave the scripts by hand."""
    leaves = [{"label": leaf.label, "marks": leaf.marks} for leaf in subject.leaves]
    scripts = {}
    for name, written in subject.scripts.items():
        marks = {leaf.label: written.teacher.get(leaf.label, leaf.marks) for leaf in subject.leaves}
        scripts[name] = {"answers": written.answers, "marks": marks}
    return {"total": subject.total, "leaves": leaves, "scripts": scripts}


def main():
    registerFont(TTFont("Print", SYSTEM / "liberation/LiberationSans-Regular.ttf"))
    registerFont(TTFont("Print-Bold", SYSTEM / "liberation/LiberationSans-Bold.ttf"))
    registerFont(TTFont("Typed", SYSTEM / "liberation/LiberationSans-Regular.ttf"))
    registerFont(TTFont("Symbols", SYSTEM / "dejavu/DejaVuSans.ttf"))
    with tempfile.TemporaryDirectory() as folder:
        for seed, subject in enumerate([biology.SUBJECT, mathematics.SUBJECT], 1):
            make(subject, pathlib.Path(folder), seed * 100)


if __name__ == "__main__":
    main()
