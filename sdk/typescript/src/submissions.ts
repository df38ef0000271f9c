// Students' scripts, their results and reports.

import { writeFile } from "node:fs/promises";
import { SubmissionFailed, WaitTimeout } from "./errors.js";
import type { Pages } from "./pages.js";
import { type Content, acceptFor, contentsOf, polls, sleep } from "./requests.js";
import { type Once, Resource, type Time, type Waiting } from "./resources.js";
import type {
  Adjustment,
  File,
  NewAdjustment,
  NewSubmission,
  Report,
  ReportSection,
  Result,
  Submission,
  SubmissionPatch,
  SubmissionStatus,
} from "./schema.js";

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

  /**
   * Sets the mark of one answer (`awarded`), or corrects what was read (`answer`) and has it judged again, while the
   * submission is graded.
   */
  adjust(id: string, adjustment: NewAdjustment): Promise<Adjustment> {
    return this.client.request({ method: "POST", path: `/v1/submissions/${id}/adjustments`, body: adjustment });
  }

  /** What people decided about its marks, newest first. */
  adjustments(
    id: string,
    query: { created_after?: Time; created_before?: Time; limit?: number } = {},
  ): Pages<Adjustment> {
    return this.client.list(`/v1/submissions/${id}/adjustments`, query);
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
