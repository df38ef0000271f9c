"""Draws pages and lines to measure recognition with: print, handwriting, scans and photos.

    make_pages.py OUT FONT_DIR...

Every picture OUT/NAME.png or .jpg gets its words as OUT/NAME.txt, one line of text a line. Handwriting
comes from the handwriting fonts found under the folders (any .ttf, .otf or .woff), pulled about by a
random elastic field, with uneven baselines, slants, pens and inks. The same seed draws the same pages.
Needs numpy, Pillow and opencv-python-headless.
"""

import pathlib
import random
import sys

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

PRINT = "/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf"
SENTENCES = """
The rate of reaction increases because particles collide more often.
Water moves into the cell by osmosis through the membrane.
A force of 12 N acts on the trolley for 3.5 seconds.
Demand falls when the price of the good rises.
The median is 14 and the range is 9.
Photosynthesis needs light, carbon dioxide and water.
The author shows her anger by using short sentences.
Heat is lost to the surroundings so the value is too low.
Firms may lower costs by training their workers well.
The gradient of the line is 2, so the speed is constant.
Sodium loses one electron and forms a positive ion.
The graph has a turning point at (2, -5).
Each row of the table stores one record.
Erosion is faster where the rock is soft.
The current splits between the two branches.
People moved to towns because farms needed fewer hands.
Divide both sides by 4 to get x = 7.
The enzyme is denatured above 60 degrees.
A loop repeats the steps until the list is empty.
Taxes on imports protect jobs at home but raise prices.
The pendulum swings slower when the string is longer.
Limestone reacts with acid and gives off a gas.
She feels lonely, which the dark room suggests.
The mean is larger since one value is very high.
""".strip().splitlines()


def elastic(picture, amount, scale, generator):
    """Pulls the picture about by a smooth random field."""
    height, width = picture.shape[:2]

    def field():
        coarse = generator.normal(size=(max(2, height // scale), max(2, width // scale))).astype(np.float32)
        return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC) * amount

    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    return cv2.remap(picture, columns + field(), rows + field(), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def write(canvas, text, font, x, y, ink, chance, jitter):
    """Writes by hand: every word a little off its baseline."""
    draw = ImageDraw.Draw(canvas)
    for word in text.split(" "):
        draw.text((x, y + chance.uniform(-jitter, jitter)), word, font=font, fill=ink, anchor="ls")
        x += draw.textlength(word, font=font) + draw.textlength(" ", font=font) * chance.uniform(1.0, 1.5)
    return x


INKS = [(25, 30, 90), (20, 20, 25), (60, 60, 70), (30, 60, 140)]


def hand_font(path, height):
    """The font at a size where its small letters are as high as those of the others."""
    trial = ImageFont.truetype(path, 100)
    box = trial.getbbox("xnoea")
    return ImageFont.truetype(path, int(100 * height / max(20, box[3] - box[1])))


def line_picture(text, path, seed):
    chance, generator = random.Random(seed), np.random.default_rng(seed)
    font = hand_font(path, 22)
    canvas = Image.new("RGB", (2400, 150), (252, 251, 247))
    if seed % 3 == 0:
        ImageDraw.Draw(canvas).line((0, 96, 2400, 96), fill=(150, 170, 210), width=2)
    end = write(canvas, text, font, 40, 92, chance.choice(INKS), chance, 3)
    picture = elastic(np.array(canvas)[:, : int(end) + 40], 1.6, 24, generator)
    slant = chance.uniform(-0.15, 0.15)
    matrix = np.float32([[1, slant, -slant * 75], [chance.uniform(-0.02, 0.02), 1, 0]])
    picture = cv2.warpAffine(picture, matrix, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    picture = cv2.GaussianBlur(picture, (0, 0), chance.uniform(0.4, 1.0))
    return noise(picture, 4, generator)


def noise(picture, amount, generator):
    return np.clip(picture + generator.normal(scale=amount, size=picture.shape), 0, 255).astype(np.uint8)


def student_page(path, seed, count=14):
    """A clean sheet of ruled paper with lines in one hand, as a scanner sees it."""
    chance, generator = random.Random(seed), np.random.default_rng(seed)
    canvas = Image.new("RGB", (1654, 2339), (253, 253, 251))
    draw = ImageDraw.Draw(canvas)
    font, ink, lines = hand_font(path, 26), chance.choice(INKS), chance.sample(SENTENCES, count)
    for row in range(26):
        draw.line((60, 200 + row * 78, 1600, 200 + row * 78), fill=(165, 185, 215), width=2)
    for row, text in enumerate(lines):
        write(canvas, text, font, 150, 194 + row * 78, ink, chance, 2.5)
    picture = elastic(np.array(canvas), 1.2, 30, generator)
    return noise(cv2.GaussianBlur(picture, (0, 0), 0.6), 3, generator), lines


def printed_page(seed):
    chance = random.Random(seed)
    canvas = Image.new("RGB", (1654, 2339), (255, 255, 255))
    draw = ImageDraw.Draw(canvas)
    font = ImageFont.truetype(PRINT, 34)
    lines, y = [], 190
    for number, text in enumerate(chance.sample(SENTENCES, 22), 1):
        line = f"{number} {text}" if number % 3 else f"({'abcdefgh'[number % 8]}) {text} [{number % 5 + 1}]"
        draw.text((150, y), line, font=font, fill=(15, 15, 15))
        lines.append(line)
        y += 92
    return np.array(canvas), lines


def skewed(picture, degrees):
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    return cv2.warpAffine(picture, matrix, (width, height), borderValue=(255, 255, 255))


def shaded(picture):
    height, width = picture.shape[:2]
    light = np.linspace(1.0, 0.45, width)[None, :, None] * np.linspace(1.0, 0.8, height)[:, None, None]
    return (picture * light).astype(np.uint8)


def photographed(picture, seed):
    """On a dark desk, seen from an angle, with the shadow of a hand."""
    generator = np.random.default_rng(seed)
    height, width = picture.shape[:2]
    desk = np.full((2600, 2000, 3), (70, 55, 45), np.uint8)
    corners = np.float32([[190, 210], [1790, 150], [1900, 2390], [110, 2450]]) + generator.uniform(-50, 50, (4, 2)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(np.float32([[0, 0], [width, 0], [width, height], [0, height]]), corners)
    sheet = cv2.warpPerspective(picture, matrix, (2000, 2600), borderValue=(0, 0, 0))
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), matrix, (2000, 2600))
    scene = np.where(mask[:, :, None] > 127, sheet, desk)
    rows, columns = np.mgrid[0:2600, 0:2000]
    shadow = 1 - 0.4 / (1 + np.exp(-(columns + rows * 0.6 - 2100) / 60))
    return noise(cv2.GaussianBlur((scene * shadow[:, :, None]).astype(np.uint8), (0, 0), 0.8), 4, generator)


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    names = {".ttf", ".otf", ".woff"}
    fonts = sorted(str(path) for folder in sys.argv[2:] for path in pathlib.Path(folder).rglob("*") if path.suffix in names)

    def save(name, picture, lines, quality=None):
        suffix = "jpg" if quality else "png"
        Image.fromarray(picture).save(out / f"{name}.{suffix}", **({"quality": quality} if quality else {}))
        (out / f"{name}.txt").write_text("\n".join(lines) + "\n")

    for index, path in enumerate(fonts):
        stem = pathlib.Path(path).stem.split("-latin")[0]
        for take in range(3):
            seed = index * 7 + take
            text = SENTENCES[seed % len(SENTENCES)]
            save(f"line-{stem}-{take}", line_picture(text, path, seed), [text])
        save(f"student-{stem}", *student_page(path, index))
        page, lines = student_page(path, index, 20)
        save(f"sheet-{stem}", photographed(page, index), lines, 80)
    for seed in range(3):
        page, lines = printed_page(seed)
        blurred = cv2.GaussianBlur(page, (0, 0), 1.4)
        save(f"print-{seed}-clean", page, lines)
        save(f"print-{seed}-skewed", skewed(page, 2.5 - 2 * seed), lines)
        save(f"print-{seed}-shaded", shaded(page), lines, 80)
        save(f"print-{seed}-blurred", blurred, lines, 60)
        save(f"print-{seed}-all", shaded(skewed(blurred, -3 + 2 * seed)), lines, 70)
        save(f"print-{seed}-photo", photographed(page, seed), lines, 85)
        save(f"print-{seed}-turned", np.ascontiguousarray(np.rot90(page, seed + 1)), lines)


if __name__ == "__main__":
    main()
