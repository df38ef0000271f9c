// The whole flow against a development server: TM_BASE_URL, TM_API_KEY and SAMPLES say where.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { AuthenticationError, Client, ConflictError, InvalidRequestError, NotFoundError, PaperFailed, SubmissionFailed, webhooks } from "../dist/index.js";

const client = new Client();
const samples = process.env.SAMPLES;
const unique = `ts-${process.pid}-${Date.now()}`;
const pollEvery = 0.2;

test("from two PDFs to an annotated script", async () => {
  const subject = await client.subjects.list({ query: "biology" }).first();
  const paper = await client.papers.createAndWait(
    {
      title: "Biology",
      subject_id: subject.id,
      question_paper: join(samples, "biology/paper.pdf"),
      marking_scheme: join(samples, "biology/scheme.pdf"),
      external_id: unique,
    },
    { pollEvery },
  );
  assert.equal(paper.status, "awaiting_review");
  const questions = await client.papers.questions(paper.id);
  assert.equal(questions.length, paper.question_count);
  const link = await client.reviewLinks.create(paper.id, { reviewer: "Ms Okafor" });
  assert.match(link.url, /\/review#/);
  assert.equal((await client.reviewLinks.revoke(paper.id)).revoked, 1);
  assert.equal((await client.papers.approve(paper.id)).status, "ready");

  const result = await client.submissions.mark(
    join(samples, "biology/script-middling.pdf"),
    { paper_id: paper.id, student: { external_id: unique, name: "A. Student" } },
    { pollEvery },
  );
  assert.ok(result.score.awarded > 0 && result.score.awarded < result.score.available, JSON.stringify(result.score));
  assert.equal(result.questions.length, paper.question_count);

  const [submission] = await client.submissions.list({ paper_id: paper.id }).all();
  assert.equal(submission.status, "released");
  const report = await client.submissions.report(submission.id, ["summary", "marking"]);
  assert.deepEqual(report.sections, ["summary", "marking"]);
  assert.equal(report.summary.score.awarded, result.score.awarded);
  const folder = await mkdtemp(join(tmpdir(), "tickmark-"));
  await client.submissions.saveReport(submission.id, join(folder, "report.pdf"));
  await client.submissions.saveReport(submission.id, join(folder, "report.html"));
  assert.equal((await readFile(join(folder, "report.pdf"))).subarray(0, 5).toString(), "%PDF-");
  assert.match((await readFile(join(folder, "report.html"))).toString(), /^<!doctype html>/i);

  const events = await client.events.list({ object_id: submission.id }).all();
  assert.deepEqual(events.map((event) => event.type).sort(), ["submission.graded", "submission.released"]);
  const transaction = await client.creditTransactions.list({ source_id: submission.id }).first();
  assert.equal(transaction.type, "grading");
  assert.equal((await client.submissions.update(submission.id, { student: { name: null } })).student.name, null);
  assert.equal((await client.papers.update(paper.id, { external_id: null })).external_id, null);
  await client.submissions.delete(submission.id);
  await client.papers.delete(paper.id);
  await assert.rejects(client.papers.retrieve(paper.id), NotFoundError);
});

test("outcomes that a test asks for", async () => {
  const subject = await client.subjects.list().first();
  const pdf = Buffer.from("%PDF-1.4\n");
  const make = (test_outcome) =>
    client.papers.createAndWait({ title: "T", subject_id: subject.id, question_paper: pdf, marking_scheme: pdf, test_outcome }, { pollEvery });
  await assert.rejects(make("no_questions_found"), (error) => error instanceof PaperFailed && error.code === "no_questions_found");
  const paper = await make("succeed");
  await client.papers.approve(paper.id);
  await assert.rejects(
    client.submissions.mark([pdf], { paper_id: paper.id, student: "s-1", test_outcome: "file_unreadable" }, { pollEvery }),
    (error) => error instanceof SubmissionFailed && error.code === "file_unreadable",
  );
  const result = await client.submissions.mark([pdf], { paper_id: paper.id, student: "s-1", test_outcome: "succeed" }, { pollEvery });
  assert.equal(result.status, "final");
});

test("a person sets marks, amends the scheme and releases", async () => {
  const subject = await client.subjects.list().first();
  const pdf = Buffer.from("%PDF-1.4\n");
  const settings = { test_outcome: "succeed", results_release: "after_review", grading: { learning: false } };
  const { id } = await client.papers.createAndWait(
    { title: "T", subject_id: subject.id, question_paper: pdf, marking_scheme: pdf, ...settings },
    { pollEvery },
  );
  await client.papers.approve(id);
  const result = await client.submissions.mark(pdf, { paper_id: id, student: "s-1", test_outcome: "succeed" }, { pollEvery });
  assert.equal(result.status, "provisional");
  const script = result.submission_id;
  const adjustment = await client.submissions.adjust(script, { question: "1", awarded: 0, remark: "No.", reviewer: "Ms Okafor" });
  assert.deepEqual([adjustment.awarded_before, adjustment.awarded], [1, 0]);
  assert.deepEqual(await client.submissions.adjustments(script).all(), [adjustment]);
  assert.equal((await client.papers.statistics(id)).mean, result.score.awarded - 1);

  const accepts = [{ point: 0, accept: ["assimilation"] }];
  const amendment = await client.papers.amend(id, { question: "1", points: accepts, reviewer: "Ms Okafor" });
  const endsAt = Date.now() + 60_000;
  while ((await client.papers.amendment(id)).status !== "previewed" && Date.now() < endsAt) await setTimeout(pollEvery * 1000);
  const tried = await client.papers.amendedScripts(id, { outcome: "unchanged" }).all();
  assert.deepEqual(tried.map((one) => one.submission_id), [script]);
  assert.equal((await client.papers.applyAmendment(id, { amendment_id: amendment.id })).version, 2);
  await client.papers.amend(id, { question: "1", points: [{ point: 0, reject: ["respiration"] }] });
  await client.papers.discardAmendment(id);
  await assert.rejects(client.papers.amendment(id), NotFoundError);
  assert.deepEqual((await client.papers.scheme(id)).versions.map((version) => version.reviewer), [null, "Ms Okafor"]);

  assert.equal((await client.papers.releaseResults(id, { which: "checked" })).released, 0);
  assert.equal((await client.papers.releaseResults(id, { which: "all" })).released, 1);
  await assert.rejects(client.submissions.adjust(script, { question: "1", awarded: 1 }), ConflictError);
});

test("what is wrong is said", async () => {
  await assert.rejects(client.papers.list({ limit: 0 }).first(), (error) => {
    assert.ok(error instanceof InvalidRequestError);
    assert.deepEqual([error.status, error.code, error.param], [400, "parameter_invalid", "limit"]);
    assert.match(error.requestId, /^req_/);
    return true;
  });
  const stranger = new Client({ apiKey: "tm_sk_test_nobody" });
  await assert.rejects(stranger.account.retrieve(), AuthenticationError);
  assert.equal((await client.account.retrieve()).object, "account");
  assert.equal((await client.balance.retrieve()).livemode, false);
});

test("webhooks arrive, are genuine, and say what they are about", async (context) => {
  const received = [];
  let arrived;
  const first = new Promise((resolve) => (arrived = resolve));
  let secret;
  const receiver = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      received.push(webhooks.verify(Buffer.concat(parts), request.headers["service-signature"], secret, { tolerance: Infinity }));
      response.writeHead(204).end();
      arrived();
    });
  });
  await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  context.after(() => receiver.close());
  const url = `http://127.0.0.1:${receiver.address().port}/hook`;
  const endpoint = await client.webhookEndpoints.create({ url, events: ["paper.awaiting_review"] });
  secret = endpoint.secret;
  const subject = await client.subjects.list().first();
  const pdf = Buffer.from("%PDF-1.4\n");
  const paper = await client.papers.createAndWait(
    { title: "T", subject_id: subject.id, question_paper: pdf, marking_scheme: pdf, test_outcome: "succeed" },
    { pollEvery },
  );
  await first;
  assert.equal(received[0].type, "paper.awaiting_review");
  assert.equal(received[0].data.object.id, paper.id);
  assert.notEqual((await client.webhookEndpoints.rotateSecret(endpoint.id)).secret, secret);
  assert.equal((await client.webhookEndpoints.update(endpoint.id, { status: "disabled" })).status, "disabled");
  await client.webhookEndpoints.delete(endpoint.id);
});

test("the clock of a development server moves on", async () => {
  const before = Date.parse(await client.clock.now());
  assert.ok(Date.parse(await client.clock.advance(3600)) >= before + 3600_000);
});
