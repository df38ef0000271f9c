// The client: one key, and the resources of the API.

import { randomUUID } from "node:crypto";
import { ClassScans } from "./class-scans.js";
import { ConnectionFailed, fromResponse } from "./errors.js";
import { Pages, type Page } from "./pages.js";
import { Papers } from "./papers.js";
import { type Call, VERSION, address, delay, isWorthRetrying, retryAfter, sleep } from "./requests.js";
import * as resources from "./resources.js";
import { Submissions } from "./submissions.js";

export interface Options {
  /** Falls back on the variable TM_API_KEY. */
  apiKey?: string;
  /** Falls back on the variable TM_BASE_URL, then on a development server. */
  baseUrl?: string;
  /** Milliseconds for one attempt. */
  timeout?: number;
  maxRetries?: number;
  /** Another `fetch`, for tests and proxies. */
  fetch?: typeof fetch;
}

/** A client of one account and mode: those of its key. */
export class Client {
  readonly baseUrl: string;
  readonly account = new resources.AccountResource(this);
  readonly apiKey = new resources.ApiKeyResource(this);
  readonly balance = new resources.BalanceResource(this);
  readonly classScans = new ClassScans(this);
  readonly clock = new resources.ClockResource(this);
  readonly creditTransactions = new resources.CreditTransactions(this);
  readonly events = new resources.Events(this);
  readonly files = new resources.Files(this);
  readonly papers = new Papers(this);
  readonly reviewLinks = new resources.ReviewLinks(this);
  readonly subjects = new resources.Subjects(this);
  readonly submissions = new Submissions(this);
  readonly webhookEndpoints = new resources.WebhookEndpoints(this);
  readonly #key: string;
  readonly #timeout: number;
  readonly #maxRetries: number;
  readonly #fetch: typeof fetch;

  constructor(options: Options = {}) {
    const key = options.apiKey ?? process.env["TM_API_KEY"];
    if (!key) throw new TypeError("Give apiKey, or set TM_API_KEY.");
    this.#key = key;
    this.baseUrl = (options.baseUrl ?? process.env["TM_BASE_URL"] ?? "http://127.0.0.1:8080").replace(/\/+$/, "");
    this.#timeout = options.timeout ?? 60_000;
    this.#maxRetries = options.maxRetries ?? 4;
    this.#fetch = options.fetch ?? fetch;
  }

  /** A list, page by page. */
  list<T>(path: string, query: object): Pages<T> {
    return new Pages((cursor) =>
      this.request<Page<T>>({ method: "GET", path, query: cursor === undefined ? query : { ...query, cursor } }),
    );
  }

  /** Sends a call and returns the JSON that was answered. */
  async request<T>(call: Call): Promise<T> {
    const response = await this.send(call);
    const text = await response.text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  /** Sends a call, again where that helps; throws what the server refuses. */
  async send(call: Call): Promise<Response> {
    const repeatable = call.repeatable ?? true;
    const headers: Record<string, string> = {
      Authorization: `Bearer ${this.#key}`,
      Accept: call.accept ?? "application/json",
      "User-Agent": `tickmark-typescript/${VERSION}`,
    };
    if (call.body !== undefined) headers["Content-Type"] = "application/json";
    if (call.method === "POST" && repeatable) headers["Idempotency-Key"] = call.idempotencyKey ?? randomUUID();
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    let wasLost = false;
    for (let attempt = 0; ; attempt++) {
      let response: Response;
      try {
        const signal = AbortSignal.timeout(this.#timeout);
        response = await this.#fetch(address(this.baseUrl, call), { method: call.method, headers, body, signal });
      } catch (error) {
        const wasSent = !isRefusedConnection(error);
        if (attempt >= this.#maxRetries || (wasSent && !repeatable)) {
          throw new ConnectionFailed(`${call.method} ${call.path}: ${String(error)}`, { cause: error });
        }
        wasLost ||= wasSent;
        await sleep(delay(attempt, undefined));
        continue;
      }
      if (response.ok) return response;
      // The first DELETE did it, and its answer was lost.
      if (wasLost && call.method === "DELETE" && response.status === 404) return new Response(null, { status: 204 });
      const refused = fromResponse(response.status, await json(response), retryAfter(response.headers));
      if (attempt >= this.#maxRetries || !isWorthRetrying(repeatable, refused.status, refused.code)) throw refused;
      wasLost ||= refused.status >= 500;
      await sleep(delay(attempt, refused.retryAfter));
    }
  }

  /** Sends the bytes of a file to its upload URL, which takes them once. */
  async put(url: string, raw: Uint8Array, headers: Record<string, string>): Promise<void> {
    // fetch counts the bytes itself and refuses to be told.
    const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-length"));
    let wasLost = false;
    for (let attempt = 0; ; attempt++) {
      let asked: number | undefined;
      try {
        const response = await this.#fetch(url, { method: "PUT", headers: sent, body: raw as BodyInit });
        if (response.ok || (wasLost && response.status === 412)) return;
        const refused = fromResponse(response.status, await json(response), retryAfter(response.headers));
        if (attempt >= this.#maxRetries || ![429, 500, 502, 503, 504].includes(refused.status)) throw refused;
        asked = refused.retryAfter;
      } catch (error) {
        if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
        if (attempt >= this.#maxRetries) throw new ConnectionFailed(`PUT of a file: ${String(error)}`, { cause: error });
      }
      wasLost = true;
      await sleep(delay(attempt, asked));
    }
  }
}

/** True when nothing was sent, because nobody took the connection. */
function isRefusedConnection(error: unknown): boolean {
  const code = (error as { cause?: { code?: string } }).cause?.code ?? "";
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"].includes(code);
}

async function json(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}
