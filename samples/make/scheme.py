"""Draws a marking scheme as a ruled table."""

from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from model import Subject
from sheet import BOLD, REGULAR

PLAIN = ParagraphStyle("plain", fontName=REGULAR, fontSize=9.5, leading=13)
HEAD = ParagraphStyle("head", parent=PLAIN, fontName=BOLD)
TITLE = ParagraphStyle("title", parent=PLAIN, fontName=BOLD, fontSize=18, leading=26)
CENTRE = ParagraphStyle("centre", parent=PLAIN, alignment=1)


def paragraphs(text, style=PLAIN):
    return [Paragraph(line.replace("&", "&amp;").replace("<", "&lt;"), style) for line in text.split("\n") if line]


def draw(subject: Subject, path: str):
    document = SimpleDocTemplate(path, pagesize=landscape(A4), leftMargin=18 * mm, rightMargin=18 * mm,
                                 topMargin=20 * mm, bottomMargin=18 * mm, invariant=1,
                                 title=f"{subject.code} Mark Scheme", author="Tickmark samples")
    story = [
        Paragraph("Northfield Sample Examinations", HEAD), Spacer(1, 60),
        Paragraph(subject.title, TITLE), Paragraph(f"{subject.code}   {subject.paper_title}", PLAIN), Spacer(1, 20),
        Paragraph("MARK SCHEME", TITLE), Paragraph(f"Maximum Mark: {subject.total}", HEAD), Spacer(1, 40),
        Paragraph("Notes for markers", HEAD),
        *[Paragraph(f"• {note}", PLAIN) for note in subject.scheme_notes],
        PageBreak(),
    ]
    rows = [[Paragraph(name, HEAD) for name in ["Question", "Answer", "Marks", "Guidance"]]]
    for row in subject.rows:
        rows.append([Paragraph(row.label, PLAIN), paragraphs(row.answer), Paragraph(row.marks, CENTRE),
                     paragraphs(row.guidance)])
    table = Table(rows, colWidths=[24 * mm, 130 * mm, 18 * mm, 84 * mm], repeatRows=1)
    table.setStyle(TableStyle([
        ("GRID", (0, 0), (-1, -1), 0.7, "black"), ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("BACKGROUND", (0, 0), (-1, 0), "#E4E4E4"), ("TOPPADDING", (0, 0), (-1, -1), 4),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 6)]))
    story.append(table)

    def frame(canvas, page):
        canvas.setFont(REGULAR, 8)
        width, height = landscape(A4)
        canvas.drawString(18 * mm, height - 12 * mm, f"{subject.code}    Mark Scheme")
        canvas.drawRightString(width - 18 * mm, height - 12 * mm, f"Page {page.page}")
        canvas.drawString(18 * mm, 10 * mm, "© Northfield Sample Examinations")

    document.build(story, onFirstPage=frame, onLaterPages=frame)
