// From two PDFs and a script to the annotated script, in five steps. Run it in the project's folder.

import { Client } from "tickmark";

const client = new Client(); // TM_API_KEY and TM_BASE_URL

// 1. Which subject?
const subject = await client.subjects.list({ query: "biology" }).first();

// 2. Make a paper of a question paper and its scheme, and wait until it has been read.
const paper = await client.papers.createAndWait({
  title: "Biology",
  subject_id: subject.id,
  question_paper: "samples/biology/paper.pdf",
  marking_scheme: "samples/biology/scheme.pdf",
});

// 3. A teacher opens the link, checks what was read and approves it; or the partner approves.
console.log("Review:", (await client.reviewLinks.create(paper.id, { reviewer: "Ms Okafor" })).url);
await client.papers.approve(paper.id);

// 4. Send a student's script: 1 to 20 PDFs, JPEGs or PNGs.
const result = await client.submissions.mark("samples/biology/script-middling.pdf", { paper_id: paper.id, student: "s-1071" });

// 5. Marks with their evidence, and the annotated script.
console.log("Score:", result.score.awarded, "of", result.score.available);
for (const question of result.questions) {
  console.log(question.number, question.awarded, "of", question.available, question.feedback);
}
await client.submissions.saveReport(result.submission_id, "report.pdf");
