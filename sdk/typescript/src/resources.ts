// The resources of the API, one class each; the larger ones have files of their own.

import type { Client } from "./client.js";
import type { Pages } from "./pages.js";
import { type Content, type ContentType, contentOf } from "./requests.js";
import type {
  Account,
  ApiKeyRevocation,
  Balance,
  CreditTransaction,
  Event,
  File,
  FilePurpose,
  NewFile,
  ReviewLink,
  ReviewLinkRevocation,
  Subject,
  TransactionType,
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointUpdate,
} from "./schema.js";

export type Time = string | Date;
/** The same for a retry of the same request; made for each request if absent. */
export type Once = { idempotencyKey?: string };
/** How long to wait, and how often to look, in seconds. */
export type Waiting = { timeout?: number; pollEvery?: number };

export class Resource {
  constructor(protected readonly client: Client) {}
}

export class AccountResource extends Resource {
  /** The account that the key belongs to. */
  retrieve(): Promise<Account> {
    return this.client.request({ method: "GET", path: "/v1/account" });
  }
}

export class ApiKeyResource extends Resource {
  /** Revokes the key of this client, at once and for good. */
  revoke(): Promise<ApiKeyRevocation> {
    return this.client.request({ method: "POST", path: "/v1/api_key/revoke", body: {} });
  }
}

export class BalanceResource extends Resource {
  /** The credits of the key's mode. */
  retrieve(): Promise<Balance> {
    return this.client.request({ method: "GET", path: "/v1/balance" });
  }
}

/** The clock of a development server, for testing what takes days. */
export class ClockResource extends Resource {
  /** The server's time. */
  now(): Promise<string> {
    return this.advance(0);
  }

  /** Moves the server's clock forward; answers its new time. */
  async advance(seconds: number): Promise<string> {
    const body = { advance_seconds: seconds };
    const answer = await this.client.request<{ now: string }>({ method: "POST", path: "/dev/clock", body, repeatable: false });
    return answer.now;
  }
}

export class CreditTransactions extends Resource {
  /** Every movement of credits, newest first. */
  list(
    query: {
      type?: TransactionType;
      source_id?: string;
      created_after?: Time;
      created_before?: Time;
      limit?: number;
    } = {},
  ): Pages<CreditTransaction> {
    return this.client.list("/v1/credit_transactions", query);
  }
}

export class Events extends Resource {
  /** What happened in the last 30 days, newest first. */
  list(
    query: { type?: string; object_id?: string; created_after?: Time; created_before?: Time; limit?: number } = {},
  ): Pages<Event> {
    return this.client.list("/v1/events", query);
  }

  retrieve(id: string): Promise<Event> {
    return this.client.request({ method: "GET", path: `/v1/events/${id}` });
  }
}

export class Files extends Resource {
  /** Registers a file; its bytes then go to `upload`. `upload()` does both. */
  create(file: NewFile, { idempotencyKey }: Once = {}): Promise<File> {
    return this.client.request({ method: "POST", path: "/v1/files", body: file, idempotencyKey });
  }

  /** Registers a file and sends its bytes. `content` is a path or the bytes. */
  async upload(
    content: Content,
    purpose: FilePurpose,
    options: Once & { filename?: string; contentType?: ContentType } = {},
  ): Promise<File> {
    const { raw, name, kind } = await contentOf(content, options.filename, options.contentType);
    const file = await this.create({ purpose, filename: name, content_type: kind, size_bytes: raw.length }, options);
    // Null only for a key that could not have registered it.
    if (file.status === "awaiting_upload" && file.upload.url !== null) {
      await this.client.put(file.upload.url, raw, file.upload.headers as unknown as Record<string, string>);
    }
    return file;
  }

  retrieve(id: string): Promise<File> {
    return this.client.request({ method: "GET", path: `/v1/files/${id}` });
  }
}

export class Subjects extends Resource {
  /** The catalogue, by name; `query` looks in names and codes. */
  list(query: { query?: string; limit?: number } = {}): Pages<Subject> {
    return this.client.list("/v1/subjects", query);
  }
}

export class ReviewLinks extends Resource {
  /** A link that opens the review page of this paper. Whoever has it may change and approve the paper. */
  create(paperId: string, link: { reviewer: string; expires_in_hours?: number }): Promise<ReviewLink> {
    const path = `/v1/papers/${paperId}/review_links`;
    return this.client.request({ method: "POST", path, body: link, repeatable: false });
  }

  /** Withdraws every link of the paper. */
  revoke(paperId: string): Promise<ReviewLinkRevocation> {
    return this.client.request({ method: "POST", path: `/v1/papers/${paperId}/review_links/revoke`, body: {} });
  }
}

export class WebhookEndpoints extends Resource {
  list(query: { created_after?: Time; created_before?: Time; limit?: number } = {}): Pages<WebhookEndpoint> {
    return this.client.list("/v1/webhook_endpoints", query);
  }

  /** Its `secret` is in this answer only: keep it. */
  create(endpoint: WebhookEndpointCreate): Promise<WebhookEndpoint> {
    return this.client.request({ method: "POST", path: "/v1/webhook_endpoints", body: endpoint, repeatable: false });
  }

  retrieve(id: string): Promise<WebhookEndpoint> {
    return this.client.request({ method: "GET", path: `/v1/webhook_endpoints/${id}` });
  }

  update(id: string, change: WebhookEndpointUpdate): Promise<WebhookEndpoint> {
    return this.client.request({ method: "PATCH", path: `/v1/webhook_endpoints/${id}`, body: change });
  }

  delete(id: string): Promise<void> {
    return this.client.request({ method: "DELETE", path: `/v1/webhook_endpoints/${id}` });
  }

  /** A new `secret`; the old one goes on signing for 24 hours. */
  rotateSecret(id: string): Promise<WebhookEndpoint> {
    const path = `/v1/webhook_endpoints/${id}/rotate_secret`;
    return this.client.request({ method: "POST", path, body: {}, repeatable: false });
  }
}
