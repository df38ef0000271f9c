// The desk's calls to the server.

import { Problem, call, leave, showsPaper } from './api.js';

export { leave, showsPaper };

async function look(path, query = {}) {
  const text = new URLSearchParams(query).toString();
  const response = await fetch(text ? `${path}?${text}` : path, { credentials: 'same-origin', cache: 'no-store' });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(response.status, body.error ?? {});
  return body;
}

export const opening = () => look('/review/desk/opening');
export const classPage = (query) => look('/review/desk/class', query);
export const part = (query) => look('/review/desk/answers', query);
export const script = (id) => look(`/review/desk/scripts/${id}`);
export const statistics = () => look('/review/desk/statistics');
export const scheme = () => look('/review/desk/scheme');
export const amend = (body) => call('POST', '/review/desk/amendment', body);
export const applyAmendment = (id) => call('POST', '/review/desk/amendment/apply', { id });
export const discardAmendment = (id) => call('POST', '/review/desk/amendment/discard', { id });
export const release = (body) => call('POST', '/review/desk/releases', body);
export const decideGroup = (body) => call('POST', '/review/desk/groups', body);

/** Decides about answers of one script; gives its answers as they are then. */
export const decide = (submissionId, steps) => call('POST', '/review/desk/decisions', { submission_id: submissionId, steps });

export const pageUrl = (id, file, page) => `/review/desk/scripts/${id}/pages/${file}/${page}`;
export const scans = () => look('/review/desk/scans');
export const scan = (id) => look(`/review/desk/scans/${id}`);
export const confirmScan = (id, scripts) => call('POST', `/review/desk/scans/${id}/confirm`, { scripts });
export const scanPageUrl = (id, page) => `/review/desk/scans/${id}/pages/${page}`;
