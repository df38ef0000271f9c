// Small real PDFs: lines of text on A4 pages, in two weights of one font.

const WIDTH = 595;
const HEIGHT = 842;

const escaped = (text) => text.replace(/[\\()]/g, (character) => `\\${character}`);

/** One page's drawing: each line is [x, y from the top, text, isBold?, size?]; a text of `---` is a rule. */
function content(lines) {
  return lines.map(([x, y, text, isBold = false, size = 11]) => {
    if (text === '---') return `0.7 w ${x} ${HEIGHT - y} m ${WIDTH - x} ${HEIGHT - y} l S`;
    return `BT /${isBold ? 'F2' : 'F1'} ${size} Tf 1 0 0 1 ${x} ${HEIGHT - y} Tm (${escaped(text)}) Tj ET`;
  }).join('\n');
}

/** The bytes of a PDF with these pages. */
export function pdf(pages) {
  const font = (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '', font('Helvetica'), font('Helvetica-Bold')];
  const kids = [];
  for (const lines of pages) {
    const stream = content(lines);
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${objects.length} 0 R `
      + '/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>');
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`;
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  file += offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** A question paper of our own, two pages. */
export const PAPER = [
  [
    [60, 70, 'Hillside School', true, 15], [60, 92, 'Biology: Leaves and light', true, 13],
    [60, 112, 'Answer all questions. The marks for each part are given in brackets.'], [60, 128, '---'],
    [60, 160, '1', true], [84, 160, 'Name the process by which plants make sugar from light.'], [512, 160, '[1]'],
    [84, 186, '..........................................................................................................'],
    [60, 240, '2', true], [84, 240, 'A student keeps two bean plants, one in a dark cupboard and one by a window.'],
    [84, 266, '(a)'], [108, 266, 'Give two things, other than light, that both plants need.'], [512, 266, '[2]'],
    [108, 292, '.....................................................................................................'],
    [108, 318, '.....................................................................................................'],
    [84, 352, '(b)'], [108, 352, 'Explain why the plant in the cupboard turns pale.'], [512, 352, '[2]'],
    [108, 378, '.....................................................................................................'],
    [108, 404, '.....................................................................................................'],
    [60, 470, '3', true], [84, 470, 'Which part of the cell holds the chlorophyll?'], [512, 470, '[1]'],
    [84, 494, 'A   the nucleus'], [84, 512, 'B   the chloroplast'], [84, 530, 'C   the cell wall'], [84, 548, 'D   the vacuole'],
    [60, 610, '4', true], [84, 610, 'A leaf of area 24 square centimetres has 9600 stomata.'],
    [84, 628, 'Work out the number of stomata in one square centimetre.'], [512, 628, '[2]'],
    [84, 654, '..........................................................................................................'],
  ],
  [
    [60, 70, '5', true], [84, 70, 'Describe how water moves from the soil to the leaves of a tree.'], [512, 70, '[3]'],
    [84, 96, '..........................................................................................................'],
    [84, 122, '..........................................................................................................'],
    [84, 148, '..........................................................................................................'],
    [60, 210, '6', true], [84, 210, 'Suggest one reason why most stomata are on the lower side of a leaf.'], [512, 210, '[1]'],
    [84, 236, '..........................................................................................................'],
    [60, 300, 'Total: 12 marks', true],
  ],
];

/** Its marking scheme; question 6 is left out, so that the paper has something to check. */
export const SCHEME = [[
  [60, 70, 'Biology: Leaves and light', true, 13], [60, 92, 'Marking scheme', true], [60, 104, '---'],
  [60, 140, '1', true], [100, 140, 'photosynthesis'], [512, 140, '[1]'],
  [60, 170, '2(a)', true], [100, 170, 'water (1)'], [100, 188, 'carbon dioxide (1)'],
  [60, 218, '2(b)', true], [100, 218, 'without light no chlorophyll is made (1)'], [100, 236, 'chlorophyll is green / gives the leaf its colour (1)'],
  [60, 266, '3', true], [100, 266, 'B'], [512, 266, '[1]'],
  [60, 296, '4', true], [100, 296, '9600 / 24 (1)'], [100, 314, '400 (1)'],
  [60, 344, '5', true], [100, 344, 'root hairs take up water by osmosis (1)'], [100, 362, 'it rises in the xylem (1)'],
  [100, 380, 'pulled by evaporation from the leaves (1)'],
]];

/** A long paper: one question on each of so many pages. */
export function longPaper(count) {
  const things = ['a magnet near iron filings', 'warm air above a stove', 'salt in a glass of water', 'a seed in wet cotton', 'light in a prism'];
  const verbs = ['Explain what happens to', 'Describe how you would study', 'State one use of', 'Suggest a change in'];
  return Array.from({ length: count }, (_, index) => {
    const y = 90 + 37 * (index % 6);
    const asked = `${verbs[index % 4]} ${things[index % 5]} in trial ${index + 1}.`;
    return [
      [60, y, String(index + 1), true], [84, y, asked], [512, y, '[1]'],
      ...Array.from({ length: 8 + (index % 7) }, (__, row) => [84, y + 40 + 26 * row, '.'.repeat(90 + (index % 9))]),
    ];
  });
}

export function longScheme(count) {
  const rows = Array.from({ length: count }, (_, index) => index);
  const pages = [];
  for (let start = 0; start < count; start += 25) {
    pages.push(rows.slice(start, start + 25).flatMap((index, row) => [
      [60, 80 + 26 * row, String(index + 1), true], [100, 80 + 26 * row, `the colour of liquid ${index + 1} changes`], [512, 80 + 26 * row, '[1]'],
    ]));
  }
  return pages;
}
