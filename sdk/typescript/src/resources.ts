// The resources of the API, one class each.

import { writeFile } from "node:fs/promises";
import type { Client } from "./client.js";
import { PaperFailed, SubmissionFailed, WaitTimeout } from "./errors.js";
import type { Pages } from "./pages.js";
import { type Content, type ContentType, acceptFor, contentOf, contentsOf, polls, sleep } from "./requests.js";
import type {
  Account,
  ApiKeyRevocation,
  Balance,
  Covers,
  CreditTransaction,
  Event,
  File,
  FilePurpose,
  NewCovers,
  NewFile,
  NewPaper,
  NewSubmission,
  Paper,
  PaperPatch,
  PaperStatus,
  Question,
  Report,
  ReportSection,
  Result,
  ReviewLink,
  ReviewLinkRevocation,
  Subject,
  Submission,
  SubmissionPatch,
  SubmissionStatus,
  TransactionType,
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointUpdate,
} from "./schema.js";

type Time = string | Date;
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

export class Papers extends Resource {
  /** Newest first; with `updated_after`, by change, oldest first. */
  list(
    query: {
      status?: PaperStatus;
      subject_id?: string;
      external_id?: string;
      created_after?: Time;
      created_before?: Time;
      updated_after?: Time;
      limit?: number;
    } = {},
  ): Pages<Paper> {
    return this.client.list("/v1/papers", query);
  }

  /** Makes a paper of two files. It is read in the background. */
  create(paper: NewPaper, { idempotencyKey }: Once = {}): Promise<Paper> {
    return this.client.request({ method: "POST", path: "/v1/papers", body: paper, idempotencyKey });
  }

  /** Uploads both PDFs, makes the paper and waits until it has been read; then check and `approve` it. */
  async createAndWait(
    paper: Omit<NewPaper, "question_paper" | "marking_scheme"> & { question_paper: Content; marking_scheme: Content },
    options: Once & Waiting = {},
  ): Promise<Paper> {
    const questions = await this.client.files.upload(paper.question_paper, "question_paper");
    const scheme = await this.client.files.upload(paper.marking_scheme, "marking_scheme");
    const body = { ...paper, question_paper: { file_id: questions.id }, marking_scheme: { file_id: scheme.id } };
    const made = await this.create(body, options);
    return this.wait(made.id, options);
  }

  /** Waits until the paper has been read. Throws PaperFailed when it cannot be. */
  async wait(id: string, { timeout = 1800, pollEvery }: Waiting = {}): Promise<Paper> {
    const endsAt = performance.now() + timeout * 1000;
    for (const seconds of polls(pollEvery)) {
      const paper = await this.retrieve(id);
      if (paper.status === "failed") throw new PaperFailed(paper);
      if (paper.status !== "processing") return paper;
      if (performance.now() + seconds * 1000 > endsAt) break;
      await sleep(seconds);
    }
    throw new WaitTimeout(`${id} was not read within ${timeout} seconds.`);
  }

  retrieve(id: string): Promise<Paper> {
    return this.client.request({ method: "GET", path: `/v1/papers/${id}` });
  }

  /** What is left out stays; `external_id: null` clears it; `metadata` replaces the whole map. */
  update(id: string, change: PaperPatch): Promise<Paper> {
    return this.client.request({ method: "PATCH", path: `/v1/papers/${id}`, body: change });
  }

  /** Deletes the paper with its submissions, results and files. */
  delete(id: string): Promise<void> {
    return this.client.request({ method: "DELETE", path: `/v1/papers/${id}` });
  }

  /** Makes it ready for submissions. */
  approve(id: string): Promise<Paper> {
    return this.client.request({ method: "POST", path: `/v1/papers/${id}/approve`, body: {} });
  }

  /** What was read: questions, marks and keys, in paper order. */
  async questions(id: string): Promise<Question[]> {
    const page = await this.client.request<{ data: Question[] }>({ method: "GET", path: `/v1/papers/${id}/questions` });
    return page.data;
  }

  /** What the cover sheet of each student says, for those who print their own. */
  covers(id: string, covers: NewCovers): Promise<Covers> {
    return this.client.request({ method: "POST", path: `/v1/papers/${id}/covers`, body: covers });
  }

  /** Writes a cover sheet for each student to a PDF, to lie on top of their pages in a class scan. */
  async saveCovers(id: string, path: string, covers: NewCovers): Promise<void> {
    const response = await this.client.send({
      method: "POST",
      path: `/v1/papers/${id}/covers`,
      body: covers,
      accept: "application/pdf",
    });
    await writeFile(path, new Uint8Array(await response.arrayBuffer()));
  }
}

export class Submissions extends Resource {
  /** Newest first; with `updated_after`, by change, oldest first. */
  list(
    query: {
      paper_id?: string;
      student_external_id?: string;
      status?: SubmissionStatus;
      created_after?: Time;
      created_before?: Time;
      updated_after?: Time;
      limit?: number;
    } = {},
  ): Pages<Submission> {
    return this.client.list("/v1/submissions", query);
  }

  /** Hands in a script of 1 to 20 files. */
  create(submission: NewSubmission, { idempotencyKey }: Once = {}): Promise<Submission> {
    return this.client.request({ method: "POST", path: "/v1/submissions", body: submission, idempotencyKey });
  }

  /**
   * Uploads a script, hands it in, waits until it is marked, and returns the result.
   *
   * `student` is your own reference for the student, or `{ external_id, name }`. The result is provisional on a paper
   * with `results_release: "after_review"` until `release`.
   */
  async mark(
    files: Content | Content[],
    submission: Omit<NewSubmission, "files" | "student"> & { student: string | NewSubmission["student"] },
    options: Once & Waiting = {},
  ): Promise<Result> {
    const uploaded: File[] = [];
    for (const content of contentsOf(files)) uploaded.push(await this.client.files.upload(content, "answer_script"));
    const student = typeof submission.student === "string" ? { external_id: submission.student } : submission.student;
    const body = { ...submission, student, files: uploaded.map((file) => ({ file_id: file.id })) };
    const made = await this.create(body, options);
    await this.wait(made.id, options);
    return this.result(made.id);
  }

  /** Waits until the script is marked. Throws SubmissionFailed when it cannot be. */
  async wait(id: string, { timeout = 1800, pollEvery }: Waiting = {}): Promise<Submission> {
    const endsAt = performance.now() + timeout * 1000;
    for (const seconds of polls(pollEvery)) {
      const submission = await this.retrieve(id);
      if (submission.status === "failed" || submission.status === "canceled") throw new SubmissionFailed(submission);
      if (submission.status !== "queued" && submission.status !== "processing") return submission;
      if (performance.now() + seconds * 1000 > endsAt) break;
      await sleep(seconds);
    }
    throw new WaitTimeout(`${id} was not marked within ${timeout} seconds.`);
  }

  retrieve(id: string): Promise<Submission> {
    return this.client.request({ method: "GET", path: `/v1/submissions/${id}` });
  }

  /** What is left out stays; `student: { name: null }` clears the name. */
  update(id: string, change: SubmissionPatch): Promise<Submission> {
    return this.client.request({ method: "PATCH", path: `/v1/submissions/${id}`, body: change });
  }

  /** Deletes the submission with its result, report and files. */
  delete(id: string): Promise<void> {
    return this.client.request({ method: "DELETE", path: `/v1/submissions/${id}` });
  }

  /** While it is queued or processing. Nothing is charged. */
  cancel(id: string): Promise<Submission> {
    return this.client.request({ method: "POST", path: `/v1/submissions/${id}/cancel`, body: {} });
  }

  /** Makes its result final. */
  release(id: string): Promise<Submission> {
    return this.client.request({ method: "POST", path: `/v1/submissions/${id}/release`, body: {} });
  }

  /** The marks with their evidence. */
  result(id: string): Promise<Result> {
    return this.client.request({ method: "GET", path: `/v1/submissions/${id}/result` });
  }

  /** The report, once the submission is released. */
  report(id: string, sections?: ReportSection[]): Promise<Report> {
    return this.client.request({ method: "GET", path: `/v1/submissions/${id}/report`, query: query(sections) });
  }

  /** Writes the report to a file: `.pdf` is the annotated script, `.html` a page, `.json` the data. */
  async saveReport(id: string, path: string, sections?: ReportSection[]): Promise<void> {
    const response = await this.client.send({
      method: "GET",
      path: `/v1/submissions/${id}/report`,
      query: query(sections),
      accept: acceptFor(path),
    });
    await writeFile(path, new Uint8Array(await response.arrayBuffer()));
  }
}

function query(sections: ReportSection[] | undefined): object {
  return sections === undefined ? {} : { sections: sections.join(",") };
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
