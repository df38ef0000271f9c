"""Draws typed scripts: answers on the question paper itself, or on sheets of their own."""

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from model import Script, Subject
from sheet import BOLD, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, Paper

TYPED, SIZE = "Typed", 10.5
INK = (0.05, 0.1, 0.45)


def wrapped(text, width, measure):
    """The lines of an answer: as the student broke them, and again where they are too long."""
    lines = []
    for given in text.split("\n"):
        line = ""
        for word in given.split(" "):
            longer = f"{line} {word}".strip()
            if measure(longer) > width and line:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


def layout(place, text, measure):
    """Where each line of an answer goes: the working into its room, the rest onto the ruled lines."""
    if place.space:
        *working, answer = text.split("\n")
        left, top, bottom = place.space
        step = min(24, (bottom - top) / max(len(working), 1))
        rows = [(left + 10, top + step * (index + 0.7), line) for index, line in enumerate(working)]
        start, _, y = place.lines[-1]
        return rows + [(start + 8, y - 1, answer)]
    lines = wrapped(text, place.lines[0][1] - place.lines[0][0] - 40, measure)
    if len(lines) > len(place.lines):
        raise ValueError(f"an answer of {len(lines)} lines has room for {len(place.lines)}: {text}")
    return [(start + 6, y - 1, line) for (start, _, y), line in zip(place.lines, lines)]


def on_paper(subject: Subject, script: Script, path: str):
    """The student typed into the paper's own file."""

    def write(paper: Paper, page: int):
        canvas = paper.canvas
        canvas.setFillColorRGB(*INK)
        if page == 1:
            canvas.setFont(TYPED, 11)
            canvas.drawString(LEFT + 118, HEIGHT - 128, script.name)
        for label, place in paper.places.items():
            text = script.answers.get(label, "")
            if place.page != page or not text:
                continue
            if place.boxes:
                x, y = place.boxes[text]
                canvas.setFont("Symbols", 11)
                canvas.drawCentredString(x, HEIGHT - y - 4, "✓")
                continue
            canvas.setFont(TYPED, SIZE)
            for x, y, line in layout(place, text, lambda line: stringWidth(line, TYPED, SIZE)):
                canvas.drawString(x, HEIGHT - y, line)
        canvas.setFillColorRGB(0, 0, 0)

    Paper(subject, path, write)


def on_sheets(subject: Subject, script: Script, path: str):
    """The student typed a document of their own, with the numbers of the questions."""
    canvas = Canvas(path, pagesize=A4, invariant=1)
    canvas.setTitle(f"{subject.title.title()}: answers")
    canvas.setFont(BOLD, 11)
    canvas.drawString(LEFT, HEIGHT - TOP, f"{subject.title.title()} {subject.code}    Name: {script.name}")
    y = TOP + 30
    for leaf in subject.leaves:
        text = script.answers.get(leaf.label, "")
        lines = wrapped(text, RIGHT - LEFT - 70, lambda line: stringWidth(line, TYPED, SIZE))
        if y + 16 * len(lines) > BOTTOM:
            canvas.showPage()
            y = TOP
        canvas.setFont(BOLD, SIZE)
        canvas.drawString(LEFT, HEIGHT - y, leaf.label)
        canvas.setFont(TYPED, SIZE)
        for line in lines:
            canvas.drawString(LEFT + 60, HEIGHT - y, line)
            y += 16
        y += 10
    canvas.save()
