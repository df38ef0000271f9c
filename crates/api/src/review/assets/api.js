// The calls to the server. Each change names the paper that this page shows, in a header that no other site can
// add; the server refuses it when the browser's session is for another paper.

/** Browsers let this much outlive a page, in all. */
const KEPT_ALIVE_BYTES = 30000;

export class Problem extends Error {
  constructor(status, error) {
    super(error.message ?? 'The service did not answer as expected.');
    this.status = status;
    this.code = error.code ?? 'unknown';
    this.param = error.param ?? null;
    this.changed = error.changed ?? [];
    this.decided = error.decided ?? null;
  }

  /** True when the session is over, whatever the reason. */
  get isClosed() {
    return this.status === 401 || this.code === 'other_paper';
  }
}

let shownPaper = 'open';
let tag = null;

export function showsPaper(id) {
  shownPaper = id;
}

export async function call(method, path, body) {
  const headers = { 'X-Tickmark-Review': shownPaper };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const request = { method, headers, credentials: 'same-origin', cache: 'no-store', redirect: 'error' };
  if (body !== undefined) request.body = JSON.stringify(body);
  // A save that is under way when the page is closed still arrives.
  request.keepalive = (request.body?.length ?? 0) < KEPT_ALIVE_BYTES;
  const response = await fetch(path, request);
  if (response.ok) return response.status === 204 ? null : response.json();
  const told = await response.json().catch(() => ({}));
  throw new Problem(response.status, told.error ?? {});
}

/** Trades the token of the link for a session; gives the paper's id. */
export async function open(token) {
  return (await call('POST', '/review/session', { token })).paper_id;
}

export function leave() {
  return call('DELETE', '/review/session');
}

/** The paper and its questions; null when they are as they were last time. */
export async function state() {
  const headers = tag ? { 'If-None-Match': tag } : {};
  const response = await fetch('/review/paper', { headers, credentials: 'same-origin', cache: 'no-store' });
  if (response.status === 304) return null;
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(response.status, body.error ?? {});
  if (shownPaper !== 'open' && body.paper.id !== shownPaper) {
    throw new Problem(409, { code: 'other_paper', message: 'Another paper was opened.' });
  }
  tag = response.headers.get('ETag');
  return body;
}

export function edit(action, steps) {
  return call('POST', '/review/edits', { action, steps });
}

export function approve() {
  return call('POST', '/review/approve');
}

/** What stands in a box on a page of the question paper. */
export async function boxText(region) {
  return (await call('POST', '/review/box', region)).text;
}

export function pictureUrl(document, page) {
  return `/review/pages/${shownPaper}/${document}/${page}`;
}
