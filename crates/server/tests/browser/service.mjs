// The service through its API, as a client of it would use it.

import { pdf } from './pdf.mjs';

export const BASE = process.env.TICKMARK_URL;
const KEY = process.env.TICKMARK_KEY;
const PATIENCE_MS = 90_000;

export async function api(method, path, body, headers = {}) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(BASE + path, {
    method, headers: { authorization: `Bearer ${KEY}`, ...json, ...headers }, body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

const upload = (purpose, pages) => send(purpose, pdf(pages));

async function send(purpose, bytes) {
  const file = await api('POST', '/v1/files', { purpose, filename: `${purpose}.pdf`, content_type: 'application/pdf', size_bytes: bytes.length });
  const put = await fetch(file.upload.url, { method: 'PUT', headers: { 'content-type': 'application/pdf' }, body: bytes });
  if (!put.ok) throw new Error(`upload: ${put.status} ${await put.text()}`);
  return { file_id: file.id };
}

/** A paper that was read from these pages and awaits review. */
export async function paper(title, questions, scheme, more = {}) {
  const subject = (await api('GET', '/v1/subjects?limit=1')).data[0].id;
  const body = {
    title, subject_id: subject, question_paper: await upload('question_paper', questions), marking_scheme: await upload('marking_scheme', scheme), ...more,
  };
  const created = await api('POST', '/v1/papers', body, { 'idempotency-key': crypto.randomUUID() });
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const now = await api('GET', `/v1/papers/${created.id}`);
    if (now.status === 'awaiting_review') return now;
    if (now.status === 'failed' || Date.now() > deadline) throw new Error(`the paper is ${now.status}: ${JSON.stringify(now.failure)}`);
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}

/** The URL of a new review link. */
export async function link(paperId, reviewer = 'Ms Okafor', hours = 72) {
  return (await api('POST', `/v1/papers/${paperId}/review_links`, { reviewer, expires_in_hours: hours })).url;
}

export const questions = async (paperId) => (await api('GET', `/v1/papers/${paperId}/questions`)).data;

/** A script of these pages. */
export async function script(paperId, student, pages) {
  const body = { paper_id: paperId, student: { external_id: student }, files: [await upload('answer_script', pages)] };
  return api('POST', '/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() });
}

/** The cover sheet of a student as a file of its own. */
async function cover(paperId, student) {
  const response = await fetch(`${BASE}/v1/papers/${paperId}/covers`, {
    method: 'POST', headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', accept: 'application/pdf' },
    body: JSON.stringify({ students: [student] }),
  });
  if (!response.ok) throw new Error(`covers: ${response.status} ${await response.text()}`);
  return send('answer_script', Buffer.from(await response.arrayBuffer()));
}

/** A stack of scripts, each under its cover sheet, once its pages were looked at. */
export async function classScan(paperId, students, scripts) {
  const files = [];
  for (const [index, pages] of scripts.entries()) files.push(await cover(paperId, students[index]), await upload('answer_script', pages));
  const body = { files, split: { by: 'covers' }, students };
  const made = await api('POST', `/v1/papers/${paperId}/class_scans`, body, { 'idempotency-key': crypto.randomUUID() });
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const now = await api('GET', `/v1/class_scans/${made.id}`);
    if (now.status === 'awaiting_confirmation') return now;
    if (now.status === 'failed' || Date.now() > deadline) throw new Error(`the scan is ${now.status}: ${JSON.stringify(now.failure)}`);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

/** A submission once it is marked. */
export async function settled(id) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const now = await api('GET', `/v1/submissions/${id}`);
    if (['graded', 'released'].includes(now.status)) return now;
    if (now.status === 'failed' || Date.now() > deadline) throw new Error(`the submission is ${now.status}: ${JSON.stringify(now.failure)}`);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
