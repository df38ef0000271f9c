// What every call shares: what is sent, when to try again, files.

import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";

export const VERSION = "0.1.0";
const BACKOFF_SECONDS = 0.5;
/** Longest wait before one retry, whatever the server asks for. */
const WAIT_MAX_SECONDS = 60;
/** Waits between looks at one object; the last goes on. The service asks for 30 seconds in the long run. */
const POLL_SECONDS = [0.5, 1, 1, 2, 4, 8, 15, 30];

export type Query = Record<string, string | number | Date | undefined>;

/** One call. */
export interface Call {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  query?: object | undefined;
  body?: object | undefined;
  idempotencyKey?: string | undefined;
  /** False where the server takes no Idempotency-Key, so that a call whose answer was lost cannot be repeated. */
  repeatable?: boolean;
  accept?: string;
}

/** A path, or the bytes themselves. */
export type Content = string | Uint8Array;
export type ContentType = "application/pdf" | "image/jpeg" | "image/png";

export function address(base: string, call: Call): string {
  const url = new URL(base + call.path);
  for (const [name, value] of Object.entries((call.query ?? {}) as Query)) {
    if (value !== undefined) url.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return url.href;
}

/** Seconds that the server asks to wait. */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  if (/^[0-9]+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

/** Whether the same request can do better a little later. */
export function isWorthRetrying(repeatable: boolean, status: number, code: string | undefined): boolean {
  if (status === 429 || status === 503 || code === "idempotency_request_in_progress") return true;
  return status >= 500 && repeatable;
}

/** Seconds before the attempt after this one: what the server asks for, else twice as long each time. */
export function delay(attempt: number, asked: number | undefined): number {
  const backoff = BACKOFF_SECONDS * 2 ** attempt * (0.5 + Math.random() / 2);
  return Math.min(WAIT_MAX_SECONDS, asked ?? backoff);
}

export function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

/** The waits between looks at one object. */
export function* polls(every: number | undefined): Generator<number> {
  if (every === undefined) yield* POLL_SECONDS;
  for (;;) yield every ?? POLL_SECONDS[POLL_SECONDS.length - 1]!;
}

/** Bytes, name and type of what is to be uploaded. */
export async function contentOf(
  content: Content,
  filename?: string,
  contentType?: ContentType,
): Promise<{ raw: Uint8Array; name: string; kind: ContentType }> {
  const raw = typeof content === "string" ? new Uint8Array(await readFile(content)) : content;
  const name = filename ?? (typeof content === "string" ? basename(content) : "");
  const kind = contentType ?? sniffed(raw) ?? byName(name);
  if (kind === undefined) throw new TypeError(`${name || "This"} is no PDF, JPEG or PNG.`);
  return { raw, name: name || `upload.${kind.split("/")[1]}`, kind };
}

/** The files to upload, where one may stand by itself. */
export function contentsOf(files: Content | Content[]): Content[] {
  return Array.isArray(files) ? files : [files];
}

function sniffed(raw: Uint8Array): ContentType | undefined {
  const start = Buffer.from(raw.subarray(0, 5)).toString("latin1");
  if (start === "%PDF-") return "application/pdf";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  return start.startsWith("\x89PNG") ? "image/png" : undefined;
}

function byName(name: string): ContentType | undefined {
  const kinds: Record<string, ContentType> = {
    ".pdf": "application/pdf",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
  };
  return kinds[extname(name).toLowerCase()];
}

/** The form of a report that a file of this name holds. */
export function acceptFor(path: string): string {
  const forms: Record<string, string> = { ".pdf": "application/pdf", ".html": "text/html", ".json": "application/json" };
  const form = forms[extname(path).toLowerCase()];
  if (form === undefined) throw new TypeError(`A report goes to a .pdf, .html or .json file, not to ${path}.`);
  return form;
}
