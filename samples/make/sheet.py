"""Draws a question paper, and remembers where answers are written."""

import re
from dataclasses import dataclass, field

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from model import Leaf, Stem, Subject

WIDTH, HEIGHT = A4
LEFT, RIGHT, TOP, BOTTOM = 56, WIDTH - 56, 64, HEIGHT - 64
LEADING = 15
RULE = 25
"""From one ruled line to the next."""
REGULAR, BOLD = "Print", "Print-Bold"
BOX = 11


@dataclass
class Place:
    """Where one leaf is answered. Ordinates are from the top of the page."""

    page: int
    space: tuple[float, float, float] | None = None
    """Left, top and bottom of the room for working."""
    lines: list[tuple[float, float, float]] = field(default_factory=list)
    """Left end, right end and ordinate of each ruled line."""
    boxes: dict[str, tuple[float, float]] = field(default_factory=dict)
    """The middle of each option's box."""


class Paper:
    """A paper being drawn. `write(canvas, page)` is called before each page is closed."""

    def __init__(self, subject: Subject, path: str, write=None):
        self.subject, self.write = subject, write
        self.canvas = Canvas(path, pagesize=A4, invariant=1)
        self.canvas.setTitle(f"{subject.code} {subject.title.title()}")
        self.canvas.setAuthor("Tickmark samples")
        self.places: dict[str, Place] = {}
        self.page, self.y = 1, TOP
        self._front()
        self._questions()

    def text(self, x, y, text, size=10.5, font=REGULAR):
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, HEIGHT - y, text)

    def _front(self):
        subject, canvas = self.subject, self.canvas
        self.text(LEFT, 78, "Northfield Sample Examinations", 13, BOLD)
        canvas.line(LEFT, HEIGHT - 86, RIGHT, HEIGHT - 86)
        for row, name in enumerate(["CANDIDATE NAME", "CANDIDATE NUMBER"]):
            y = 112 + 34 * row
            self.text(LEFT, y + 14, name, 8)
            canvas.rect(LEFT + 110, HEIGHT - y - 22, RIGHT - LEFT - 110 - 180 * row, 24)
        self.text(LEFT, 222, subject.title, 20, BOLD)
        self.text(RIGHT - stringWidth(subject.code, BOLD, 14), 222, subject.code, 14, BOLD)
        self.text(LEFT, 244, subject.paper_title, 12)
        self.text(RIGHT - stringWidth(subject.duration, REGULAR, 12), 244, subject.duration, 12)
        y = 300
        lists = [("INSTRUCTIONS", subject.instructions), ("INFORMATION", [
            f"The total mark for this paper is {subject.total}.", *subject.information])]
        for heading, items in lists:
            self.text(LEFT, y, heading, 10.5, BOLD)
            for item in items:
                y += 18
                self.text(LEFT, y, "•")
                self.text(LEFT + 14, y, item)
            y += 32
        self._close()

    def _questions(self):
        for index, item in enumerate(self.subject.items):
            following = self.subject.items[index + 1] if index + 1 < len(self.subject.items) else None
            needed = self._height(item)
            # What several parts share stays with the first of them.
            if isinstance(item, Stem) and following is not None:
                needed += self._height(following)
            if self.y + needed > BOTTOM:
                self._close()
            self._stem(item) if isinstance(item, Stem) else self._leaf(item)
        end = "END OF QUESTIONS"
        self.text((WIDTH - stringWidth(end, BOLD, 10)) / 2, min(self.y + 24, BOTTOM + 10), end, 10, BOLD)
        self._close(is_last=True)
        self.canvas.save()

    def _close(self, is_last=False):
        footer = f"© Northfield Sample Examinations   {self.subject.code}"
        self.text(LEFT, HEIGHT - 34, footer, 7.5)
        if self.page > 1:
            self.text(WIDTH / 2 - 3, 40, str(self.page), 9)
        if self.page > 1 and not is_last:
            turn = "[Turn over"
            self.text(RIGHT - stringWidth(turn, BOLD, 9), HEIGHT - 34, turn, 9, BOLD)
        if self.write:
            self.write(self, self.page)
        self.canvas.showPage()
        self.page, self.y = self.page + 1, TOP

    def _indent(self, label):
        """The labels to print for an item, with the column of each, and where its text begins."""
        parts = re.findall(r"^\d+|\([a-z]+\)", label)
        columns = [LEFT, LEFT + 24, LEFT + 50]
        printed = getattr(self, "_printed", [])
        shown = [(columns[level], part) for level, part in enumerate(parts) if printed[: level + 1] != parts[: level + 1]]
        self._printed = parts
        return shown, columns[len(parts) - 1] + 24

    def _labels(self, label):
        shown, x = self._indent(label)
        for column, part in shown:
            self.text(column, self.y + 11, part, 10.5, BOLD)
        return x

    def _wrapped(self, text, x, width):
        lines, line = [], ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if stringWidth(longer, REGULAR, 10.5) > width and line:
                lines.append(line)
                line = word
            else:
                line = longer
        return lines + [line] if line else lines

    def _height(self, item):
        depth = len(re.findall(r"^\d+|\([a-z]+\)", item.label))
        x = LEFT + [0, 24, 48, 74][depth]
        height = LEADING * len(self._wrapped(item.text, x, RIGHT - x)) + 14
        if isinstance(item, Stem):
            return height
        if item.options:
            return height + 22 * len(item.options) + 16
        return height + item.space + RULE * item.lines + 20

    def _paragraph(self, text, x):
        for line in self._wrapped(text, x, RIGHT - x):
            self.text(x, self.y + 11, line)
            self.y += LEADING

    def _stem(self, stem):
        if not stem.text:
            return
        x = self._labels(stem.label)
        self._paragraph(stem.text, x)
        self.y += 10

    def _leaf(self, leaf: Leaf):
        x = self._labels(leaf.label)
        self._paragraph(leaf.text, x)
        place = self.places[leaf.label] = Place(self.page)
        marks = f"[{leaf.marks}]"
        right = RIGHT - stringWidth(marks, REGULAR, 10.5)
        if leaf.options:
            for letter, option in zip("ABCD", leaf.options):
                self.y += 22
                self.canvas.rect(x, HEIGHT - self.y - 1, BOX, BOX)
                self.text(x + 24, self.y, letter, 10.5, BOLD)
                self.text(x + 46, self.y, option)
                place.boxes[letter] = (x + BOX / 2, self.y - BOX / 2 + 1)
            self.text(right, self.y, marks)
        else:
            place.space = (x, self.y + 6, self.y + leaf.space) if leaf.space else None
            self.y += leaf.space
            for number in range(leaf.lines):
                self.y += RULE
                last = number == leaf.lines - 1
                self._rule(leaf, place, x, right if last else RIGHT)
            self.text(right, self.y, marks)
        self.y += 22

    def _rule(self, leaf, place, x, right):
        """One line to write on, with what is printed before and after the writing."""
        start, end = x, right - 8
        if leaf.space:
            start = RIGHT - 190
            before = stringWidth(leaf.before, REGULAR, 10.5)
            if leaf.before:
                self.text(start - before - 6, self.y, leaf.before)
            if leaf.unit:
                end -= stringWidth(leaf.unit, REGULAR, 10.5) + 6
                self.text(end + 6, self.y, leaf.unit)
        self.canvas.setDash(1, 2)
        self.canvas.setLineWidth(0.7)
        self.canvas.line(start, HEIGHT - self.y - 2, end, HEIGHT - self.y - 2)
        self.canvas.setDash()
        self.canvas.setLineWidth(1)
        place.lines.append((start, end, self.y))
