// A class's scripts in one stack, parted by their pages. Run it in the project's folder.

import { Client } from "tickmark";

const client = new Client(); // TM_API_KEY and TM_BASE_URL

const subject = await client.subjects.list({ query: "biology" }).first();
const paper = await client.papers.createAndWait({
  title: "Biology",
  subject_id: subject.id,
  question_paper: "samples/biology/paper.pdf",
  marking_scheme: "samples/biology/scheme.pdf",
});
await client.papers.approve(paper.id);

// 1. Cover sheets to print, for those whose scripts differ in length. The samples have a page each and need none.
const students = [{ external_id: "s-1071", name: "Ada Lovelace" }, { external_id: "s-1072", name: "Alan Turing" }];
await client.papers.saveCovers(paper.id, "covers.pdf", { students });

// 2. Send the stack: one PDF, or several files in their order.
const scan = await client.classScans.createAndWait(paper.id, {
  files: ["samples/biology/script-middling.pdf", "samples/biology/script-weak.pdf"],
  split: { by: "pages", pages_per_script: 1 },
  students,
});

// 3. Look at the split, correct it ({ scripts: … }) where it is wrong, and confirm it.
for (const script of scan.scripts) console.log(script.student, "pages", script.pages, script.warnings);
await client.classScans.confirm(scan.id);

// 4. Each script is a submission now.
for (const script of (await client.classScans.wait(scan.id)).scripts) {
  if (script.submission_id === null) {
    console.log("Not submitted:", script.obstacle);
    continue;
  }
  const submission = await client.submissions.wait(script.submission_id);
  const { score } = await client.submissions.result(submission.id);
  console.log(submission.student.external_id, score.awarded, "of", score.available);
}
