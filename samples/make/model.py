"""What a paper, its marking scheme and the scripts consist of, before anything is drawn."""

from dataclasses import dataclass, field


@dataclass
class Leaf:
    """A question or part that is answered."""

    label: str
    """"3(b)(ii)": the number, then the parts as printed."""
    text: str
    marks: int
    lines: int = 2
    """Ruled lines to write on; 0 for multiple choice."""
    space: float = 0
    """Empty room for working above the answer line, in points."""
    before: str = ""
    """Printed before the answer line, such as "x ="."""
    unit: str = ""
    """Printed after it."""
    options: list[str] = field(default_factory=list)
    """Multiple choice: the texts of A, B, C, D."""


@dataclass
class Stem:
    """Text that several parts share."""

    label: str
    text: str
    table: list[list[str]] = field(default_factory=list)


@dataclass
class Row:
    """A row of the scheme's table."""

    label: str
    answer: str
    marks: str
    guidance: str = ""


@dataclass
class Script:
    """What one student wrote."""

    name: str
    answers: dict[str, str]
    """By label. Lines as the student broke them, or one long line."""
    teacher: dict[str, float]
    """The marks that we gave by hand, where they are not the full marks."""
    crossed_out: dict[str, str] = field(default_factory=dict)
    """Written first and struck out."""


@dataclass
class Subject:
    folder: str
    code: str
    title: str
    paper_title: str
    duration: str
    instructions: list[str]
    information: list[str]
    items: list[Leaf | Stem]
    scheme_notes: list[str]
    rows: list[Row]
    scripts: dict[str, Script]

    @property
    def leaves(self) -> list[Leaf]:
        return [item for item in self.items if isinstance(item, Leaf)]

    @property
    def total(self) -> int:
        return sum(leaf.marks for leaf in self.leaves)
