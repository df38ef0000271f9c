"""Draws scripts that were written by hand, then scanned or photographed."""

import math
import os
import random

import pypdfium2
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont
from reportlab.pdfgen.canvas import Canvas

from model import Script
from script import layout
from sheet import Paper

SCALE = 150 / 72
"""Pixels for a point."""


class Hand:
    """A student's hand: a font whose letters never stand quite alike."""

    def __init__(self, font: str, size: float, ink, seed: int):
        self.font, self.size, self.ink = font, size, ink
        self.chance = random.Random(seed)

    def width(self, text):
        return ImageFont.truetype(self.font, self.size).getlength(text)

    def write(self, page: Image.Image, x, y, text, struck=False):
        """Writes a line that begins at (x, y), in points, `y` being its foot."""
        start = x
        for word in text.split(" "):
            size = self.size * self.chance.uniform(0.95, 1.05)
            font = ImageFont.truetype(self.font, round(size * SCALE))
            left, top, right, bottom = font.getbbox(word, anchor="ls")
            box = Image.new("L", (right - left + 24, bottom - top + 24), 0)
            ImageDraw.Draw(box).text((12 - left, 12 - top), word, fill=255, font=font, anchor="ls")
            box = box.rotate(self.chance.uniform(-1.2, 1.2), resample=Image.Resampling.BICUBIC)
            at = (round(x * SCALE) + left - 12, round((y + self.chance.uniform(-0.8, 0.8)) * SCALE) + top - 12)
            page.paste(self.ink, at, box)
            x += font.getlength(word) / SCALE + size * self.chance.uniform(0.26, 0.34)
        if struck:
            draw = ImageDraw.Draw(page)
            for shift in (-0.22, -0.30):
                height = y + self.size * shift
                draw.line([(start * SCALE - 4, (height + 1) * SCALE), (x * SCALE, (height - 1) * SCALE)],
                          fill=self.ink, width=3)
        return x

    def tick(self, page: Image.Image, x, y):
        points = [(-4, -1), (-1, 4), (7, -8)]
        line = [((x + dx + self.chance.uniform(-0.6, 0.6)) * SCALE, (y + dy) * SCALE) for dx, dy in points]
        ImageDraw.Draw(page).line(line, fill=self.ink, width=4, joint="curve")


def filled_pages(paper: Paper, path: str, script: Script, hand: Hand):
    """The pages of a printed paper with the student's writing on them."""
    document = pypdfium2.PdfDocument(path)
    pages = []
    for number in range(1, len(document) + 1):
        page = document[number - 1].render(scale=SCALE).to_pil().convert("RGB")
        if number == 1:
            hand.write(page, 174, 129, script.name)
        for label, place in paper.places.items():
            if place.page == number:
                answer(page, place, script, label, hand)
        pages.append(page)
    return pages


def answer(page, place, script: Script, label, hand: Hand):
    text = script.answers.get(label, "")
    if place.boxes:
        hand.tick(page, *place.boxes[text])
        return
    struck = script.crossed_out.get(label)
    for index, (x, y, line) in enumerate(layout(place, text, hand.width)):
        is_last = index == text.count("\n")
        if struck and is_last:
            x = hand.write(page, x, y - 1, struck, struck=True) + 6
        hand.write(page, x, y - 1, line)


def scan(pages, path: str, seed: int):
    """Grey, a little skewed, with the noise of an old scanner; an image-only PDF."""
    chance = random.Random(seed)
    canvas = Canvas(path, invariant=1, pageCompression=1)
    files = []
    for number, page in enumerate(pages):
        grey = page.convert("L").rotate(chance.uniform(-0.8, 0.8), resample=Image.Resampling.BICUBIC, fillcolor=255)
        grey = grey.point(lambda value: 28 + value * 205 // 255).filter(ImageFilter.GaussianBlur(0.5))
        grey = ImageChops.add(grey, noise(grey.size, chance, 9), scale=1, offset=-128)
        file = f"{path}.{number}.jpg"
        grey.save(file, "JPEG", quality=42, optimize=True)
        width, height = page.size[0] / SCALE, page.size[1] / SCALE
        canvas.setPageSize((width, height))
        # By its name, so that the file goes into the PDF as it is.
        canvas.drawImage(file, 0, 0, width, height)
        canvas.showPage()
        files.append(file)
    canvas.save()
    for file in files:
        os.remove(file)


def photograph(page: Image.Image, path: str, seed: int):
    """On a table, from a slant, with the shadow of a hand over one side."""
    chance = random.Random(seed)
    width, height = page.size
    table = (round(width * 1.12), round(height * 1.08))
    corners = [(0.06, 0.04), (0.94, 0.055), (0.975, 0.965), (0.03, 0.95)]
    corners = [((x + chance.uniform(-0.008, 0.008)) * table[0], (y + chance.uniform(-0.008, 0.008)) * table[1])
               for x, y in corners]
    sheet = [(0, 0), (width, 0), (width, height), (0, height)]
    coefficients = perspective(corners, sheet)
    flat = page.transform(table, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC)
    mask = Image.new("L", page.size, 255).transform(table, Image.Transform.PERSPECTIVE, coefficients)
    wood = Image.new("RGB", table, (112, 84, 60))
    photo = Image.composite(flat, wood, mask)
    light = shadow(table, chance)
    photo = ImageChops.multiply(photo, Image.merge("RGB", (light, light, light.point(lambda value: value * 94 // 100))))
    photo = photo.filter(ImageFilter.GaussianBlur(0.6))
    grain = noise(table, chance, 7)
    photo = ImageChops.add(photo, Image.merge("RGB", (grain,) * 3), scale=1, offset=-128)
    photo.save(path, "JPEG", quality=52, optimize=True)


def shadow(size, chance):
    """Bright where the lamp is, darker to one side, with a soft edge."""
    small = Image.new("L", (64, 64))
    slant, edge = chance.uniform(0.3, 0.8), chance.uniform(34, 42)
    for x in range(64):
        for y in range(64):
            distance = x + slant * y - edge
            small.putpixel((x, y), round(246 - 74 / (1 + math.exp(-distance / 7)) - 0.25 * y))
    return small.resize(size, Image.Resampling.BICUBIC)


def noise(size, chance, strength):
    """Grey noise around 128 that is the same for the same seed."""
    small = Image.new("L", (256, 256))
    small.putdata([max(0, min(255, round(chance.gauss(128, strength)))) for _ in range(256 * 256)])
    whole = Image.new("L", size)
    for x in range(0, size[0], 256):
        for y in range(0, size[1], 256):
            whole.paste(small.rotate(90 * chance.randrange(4)), (x, y))
    return whole


def perspective(seen, flat):
    """The eight numbers that map points of the photo onto the sheet."""
    rows, right = [], []
    for (x, y), (u, v) in zip(seen, flat):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return solved(rows, right)


def solved(rows, right):
    """Gaussian elimination with the largest pivot."""
    rows = [row + [value] for row, value in zip(rows, right)]
    for column in range(len(rows)):
        pivot = max(range(column, len(rows)), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(len(rows)):
            if row != column:
                factor = rows[row][column] / rows[column][column]
                rows[row] = [value - factor * other for value, other in zip(rows[row], rows[column])]
    return [row[-1] / row[index] for index, row in enumerate(rows)]
