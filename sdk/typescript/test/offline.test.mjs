// Retries, errors and signatures, without a server.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { BillingError, Client, ConnectionFailed, ConflictError, SignatureError, webhooks } from "../dist/index.js";

/** A client whose server gives these answers, one after the other; what was asked is kept. */
function scripted(answers) {
  const asked = [];
  const fetch = async (url, options) => {
    asked.push({ url, ...options });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    const [status, body, headers] = answer;
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
  };
  return { client: new Client({ apiKey: "tm_sk_test_x", baseUrl: "http://127.0.0.1:9", fetch, maxRetries: 2 }), asked };
}

const refused = (type, code) => ({ error: { type, code, message: "No.", param: null, resource_id: "pap_1", request_id: "req_1" } });
const lost = () => Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } });
const nobody = () => Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });

test("a POST is repeated with the same Idempotency-Key", async () => {
  const { client, asked } = scripted([lost(), [503, refused("api_error", "service_unavailable"), { "Retry-After": "0" }], [200, { id: "pap_1" }]]);
  assert.equal((await client.papers.approve("pap_1")).id, "pap_1");
  const keys = asked.map((call) => call.headers["Idempotency-Key"]);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.match(keys[0], /^[!-~]{16,}$/);
});

test("what takes no key is not repeated once it may have been done", async () => {
  const one = scripted([lost()]);
  await assert.rejects(one.client.reviewLinks.create("pap_1", { reviewer: "R" }), ConnectionFailed);
  assert.equal(one.asked.length, 1);
  assert.equal(one.asked[0].headers["Idempotency-Key"], undefined);
  const other = scripted([nobody(), [201, { url: "u" }]]);
  assert.equal((await other.client.reviewLinks.create("pap_1", { reviewer: "R" })).url, "u");
});

test("a DELETE whose answer was lost is done", async () => {
  const { client } = scripted([lost(), [404, refused("invalid_request_error", "resource_missing")]]);
  assert.equal(await client.papers.delete("pap_1"), undefined);
});

test("errors have their kind, and are not repeated where that cannot help", async () => {
  const billing = scripted([[402, refused("billing_error", "insufficient_credits")]]);
  await assert.rejects(billing.client.balance.retrieve(), (error) => {
    assert.ok(error instanceof BillingError);
    assert.deepEqual([error.status, error.code, error.resourceId, error.requestId, error.name], [402, "insufficient_credits", "pap_1", "req_1", "BillingError"]);
    return true;
  });
  const conflict = scripted([[409, refused("invalid_request_error", "paper_not_ready")]]);
  await assert.rejects(conflict.client.papers.approve("pap_1"), ConflictError);
  assert.equal(conflict.asked.length, 1);
});

test("a busy server is asked again, but not for ever", async () => {
  const busy = () => [429, refused("rate_limit_error", "rate_limit_exceeded"), { "Retry-After": "0" }];
  const { client, asked } = scripted([busy(), busy(), busy()]);
  await assert.rejects(client.balance.retrieve(), { name: "RateLimitError" });
  assert.equal(asked.length, 3);
});

test("a list goes on from page to page", async () => {
  const { client, asked } = scripted([
    [200, { data: [1, 2], has_more: true, next_cursor: "c" }],
    [200, { data: [3], has_more: false, next_cursor: null }],
  ]);
  assert.deepEqual(await client.papers.list({ status: "ready", created_after: new Date(0) }).all(), [1, 2, 3]);
  assert.equal(new URL(asked[1].url).search, "?status=ready&created_after=1970-01-01T00%3A00%3A00.000Z&cursor=c");
});

test("an upload that was taken, but whose answer was lost, is done", async () => {
  const file = { id: "file_1", status: "awaiting_upload", upload: { url: "http://127.0.0.1:9/upload/x", headers: { "Content-Length": "5", "If-None-Match": "*" } } };
  const { client, asked } = scripted([[201, file], lost(), [412, refused("invalid_request_error", "x")]]);
  assert.equal((await client.files.upload(Buffer.from("%PDF-"), "question_paper")).id, "file_1");
  assert.deepEqual(JSON.parse(asked[0].body), { purpose: "question_paper", filename: "upload.pdf", content_type: "application/pdf", size_bytes: 5 });
});

test("a delivery is believed only when it is genuine and fresh", () => {
  const body = JSON.stringify({ id: "evt_1", type: "paper.ready", data: { object: { id: "pap_1" } } });
  const sign = (secret, t) => createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
  const header = `t=1000,v1=${sign("whsec_old", 1000)},v1=${sign("whsec_new", 1000)}`;
  for (const secret of ["whsec_old", "whsec_new"]) {
    assert.equal(webhooks.verify(body, header, secret, { now: 1300 }).data.object.id, "pap_1");
  }
  for (const [given, signature, secret, now] of [
    [body + " ", header, "whsec_new", 1000],
    [body, header, "whsec_other", 1000],
    [body, header, "whsec_new", 1301],
    [body, header, "whsec_new", 699],
    [body, "v1=00", "whsec_new", 1000],
    [body, null, "whsec_new", 1000],
    [body, "t=1000", "whsec_new", 1000],
  ]) {
    assert.throws(() => webhooks.verify(given, signature, secret, { now }), SignatureError);
  }
});
