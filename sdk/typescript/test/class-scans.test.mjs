// A class in one stack, against a development server: TM_BASE_URL and TM_API_KEY say where.

import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ClassScanFailed, Client, ConflictError, InvalidRequestError, NotFoundError } from "../dist/index.js";

const client = new Client();
const pollEvery = 0.2;
const students = [{ external_id: "s-1", name: "Ada Lovelace" }, { external_id: "s-2" }, { external_id: "s-3" }];

/** A PDF with one line on each page. */
function pdf(...pages) {
  const kids = pages.map((_, place) => `${4 + 2 * place} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  for (const [place, line] of pages.entries()) {
    const parts = `/MediaBox [0 0 595 842] /Contents ${5 + 2 * place} 0 R /Resources << /Font << /F1 3 0 R >> >>`;
    const content = `BT /F1 12 Tf 60 780 Td (${line}) Tj ET`;
    objects.push(`<< /Type /Page /Parent 2 0 R ${parts} >>`);
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  let written = "%PDF-1.4\n";
  let table = "0000000000 65535 f \n";
  for (const [place, text] of objects.entries()) {
    table += `${String(written.length).padStart(10, "0")} 00000 n \n`;
    written += `${place + 1} 0 obj\n${text}\nendobj\n`;
  }
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${written.length}\n%%EOF\n`;
  return Buffer.from(written + end);
}

async function readyPaper() {
  const subject = await client.subjects.list().first();
  const paper = await client.papers.createAndWait(
    {
      title: "T",
      subject_id: subject.id,
      question_paper: pdf("1. Name the gas. (1)"),
      marking_scheme: pdf("1. oxygen (1)"),
      test_outcome: "succeed",
    },
    { pollEvery },
  );
  return client.papers.approve(paper.id);
}

/** Whose the scripts are, and their pages. */
const told = (scan) => scan.scripts.map((script) => [script.student?.external_id ?? null, script.pages]);

/** The paper's submissions by student. */
async function submitted(paper) {
  const all = await client.submissions.list({ paper_id: paper.id }).all();
  return Object.fromEntries(all.map((submission) => [submission.student.external_id, submission.id]));
}

test("a stack with covers becomes a submission for each student", async () => {
  const paper = await readyPaper();
  const { sheets } = await client.papers.covers(paper.id, { students });
  assert.deepEqual(sheets.map((sheet) => sheet.external_id), ["s-1", "s-2", "s-3"]);
  const folder = await mkdtemp(join(tmpdir(), "tickmark-"));
  const files = [];
  for (const student of students.slice(0, 2)) {
    const [cover, script] = ["cover", "script"].map((kind) => join(folder, `${student.external_id}-${kind}.pdf`));
    await client.papers.saveCovers(paper.id, cover, { students: [student] });
    await writeFile(script, pdf("1. oxygen", "More of it"));
    files.push(cover, script);
  }
  const scan = await client.classScans.createAndWait(paper.id, { files, split: { by: "covers" }, students }, { pollEvery });
  assert.equal(scan.status, "awaiting_confirmation");
  assert.deepEqual(told(scan), [["s-1", [2, 3]], ["s-2", [5, 6]]]);
  assert.deepEqual(scan.absent.map((student) => student.external_id), ["s-3"]);
  assert.deepEqual(await submitted(paper), {});

  await client.classScans.confirm(scan.id);
  const done = await client.classScans.wait(scan.id, { pollEvery });
  assert.equal(done.status, "confirmed");
  const made = await submitted(paper);
  assert.deepEqual(Object.keys(made).sort(), ["s-1", "s-2"]);
  assert.deepEqual(done.scripts.map((script) => script.submission_id), [made["s-1"], made["s-2"]]);

  assert.equal((await client.classScans.confirm(scan.id)).status, "confirmed", "the same again changes nothing");
  await assert.rejects(
    client.classScans.confirm(scan.id, { scripts: [{ pages: [2], student: { external_id: "s-3" } }] }),
    (error) => error instanceof ConflictError && error.code === "class_scan_not_confirmable",
  );
  assert.deepEqual(await submitted(paper), made);
});

test("a split by pages is corrected or deleted", async () => {
  const paper = await readyPaper();
  const stack = pdf("1. oxygen", "1. nitrogen", "1. helium", "1. argon");
  const split = { by: "pages", pages_per_script: 2 };
  const scan = await client.classScans.createAndWait(paper.id, { files: stack, split }, { pollEvery });
  assert.deepEqual(told(scan), [[null, [1, 2]], [null, [3, 4]]]);
  await assert.rejects(
    client.classScans.confirm(scan.id),
    (error) => error instanceof InvalidRequestError && error.status === 400 && error.param === "scripts[0].student",
  );
  await client.classScans.confirm(scan.id, { scripts: [{ pages: [4, 3], student: { external_id: "s-2" } }] });
  assert.equal((await client.classScans.wait(scan.id, { pollEvery })).status, "confirmed");
  assert.deepEqual(Object.keys(await submitted(paper)), ["s-2"]);

  const roster = students.slice(0, 2);
  const other = await client.classScans.createAndWait(paper.id, { files: [stack], split, students: roster }, { pollEvery });
  assert.deepEqual(told(other), [["s-1", [1, 2]], ["s-2", [3, 4]]]);
  await client.classScans.confirm(other.id);
  const partly = await client.classScans.wait(other.id, { pollEvery });
  assert.equal(partly.status, "awaiting_confirmation");
  assert.deepEqual(partly.scripts.map((script) => script.obstacle), [null, "submission_exists"]);
  await client.classScans.delete(other.id);
  await assert.rejects(client.classScans.retrieve(other.id), NotFoundError);
  assert.deepEqual(Object.keys(await submitted(paper)).sort(), ["s-1", "s-2"], "submissions stay");
});

test("what cannot be a scan is said", async () => {
  const paper = await readyPaper();
  const broken = Buffer.from("%PDF-1.4\n");
  await assert.rejects(
    client.classScans.createAndWait(paper.id, { files: broken, split: { by: "covers" } }, { pollEvery }),
    (error) => error instanceof ClassScanFailed && error.code === "file_unreadable" && error.classScan.status === "failed",
  );
  const file = await client.files.upload(pdf("1. oxygen"), "answer_script");
  await assert.rejects(
    client.classScans.create(paper.id, { files: [{ file_id: file.id }], split: { by: "names" } }),
    (error) => error.code === "parameter_missing" && error.param === "students",
  );
});
