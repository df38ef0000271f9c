// Question papers with their schemes.

import { writeFile } from "node:fs/promises";
import { PaperFailed, WaitTimeout } from "./errors.js";
import type { Pages } from "./pages.js";
import { type Content, polls, sleep } from "./requests.js";
import { type Once, Resource, type Time, type Waiting } from "./resources.js";
import type {
  AmendedScript,
  Amendment,
  AmendmentOutcome,
  AppliedAmendment,
  Covers,
  NewAmendment,
  NewCovers,
  NewPaper,
  NewRelease,
  Paper,
  PaperPatch,
  PaperStatus,
  Question,
  Release,
  Scheme,
  Statistics,
} from "./schema.js";

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

  /** The marked scripts in figures, released or not. */
  statistics(id: string): Promise<Statistics> {
    return this.client.request({ method: "GET", path: `/v1/papers/${id}/statistics` });
  }

  /** Makes results final: of `all` graded scripts, of those that a person has `checked`, or of the `unflagged` ones. */
  releaseResults(id: string, release: NewRelease): Promise<Release> {
    return this.client.request({ method: "POST", path: `/v1/papers/${id}/release_results`, body: release });
  }

  /** The versions of the scheme, and by which scripts are marked. */
  scheme(id: string): Promise<Scheme> {
    return this.client.request({ method: "GET", path: `/v1/papers/${id}/scheme` });
  }

  /**
   * Changes points of one question's key. It is tried on every graded script in the background; nothing counts until
   * `applyAmendment`.
   */
  amend(id: string, amendment: NewAmendment): Promise<Amendment> {
    return this.client.request({ method: "POST", path: `/v1/papers/${id}/amendment`, body: amendment });
  }

  /** The change that is looked at: it can be applied once its status is `previewed`. */
  amendment(id: string): Promise<Amendment> {
    return this.client.request({ method: "GET", path: `/v1/papers/${id}/amendment` });
  }

  /** What the amendment does to each script. */
  amendedScripts(id: string, query: { outcome?: AmendmentOutcome; limit?: number } = {}): Pages<AmendedScript> {
    return this.client.list(`/v1/papers/${id}/amendment/scripts`, query);
  }

  /** Scripts are marked by it from now on; graded ones follow, what is released or set by a person stays. */
  applyAmendment(id: string, applied: AppliedAmendment): Promise<Scheme> {
    return this.client.request({ method: "POST", path: `/v1/papers/${id}/amendment/apply`, body: applied });
  }

  /** Forgets the change; the scheme stays as it is. */
  discardAmendment(id: string): Promise<void> {
    return this.client.request({ method: "DELETE", path: `/v1/papers/${id}/amendment` });
  }
}
