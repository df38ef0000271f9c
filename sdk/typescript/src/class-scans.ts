// A class's scripts in one stack.

import { ClassScanFailed, WaitTimeout } from "./errors.js";
import { type Content, contentsOf, polls, sleep } from "./requests.js";
import { type Once, Resource, type Waiting } from "./resources.js";
import type { ClassScan, File, NewClassScan, NewClassScanConfirmation } from "./schema.js";

export class ClassScans extends Resource {
  /** Makes a scan of 1 to 500 files. Its pages are looked at in the background. */
  create(paperId: string, scan: NewClassScan, { idempotencyKey }: Once = {}): Promise<ClassScan> {
    return this.client.request({ method: "POST", path: `/v1/papers/${paperId}/class_scans`, body: scan, idempotencyKey });
  }

  /**
   * Uploads a PDF or photographs of a whole class, makes the scan and waits for the proposed scripts; then look at them
   * and `confirm`.
   */
  async createAndWait(
    paperId: string,
    scan: Omit<NewClassScan, "files"> & { files: Content | Content[] },
    options: Once & Waiting = {},
  ): Promise<ClassScan> {
    const uploaded: File[] = [];
    for (const content of contentsOf(scan.files)) uploaded.push(await this.client.files.upload(content, "answer_script"));
    const made = await this.create(paperId, { ...scan, files: uploaded.map((file) => ({ file_id: file.id })) }, options);
    return this.wait(made.id, options);
  }

  /**
   * Waits until the scan can be confirmed; after `confirm`, until its scripts are submissions.
   *
   * One that could not be submitted says why in `obstacle`, and the scan waits to be confirmed again. Throws
   * ClassScanFailed when the pages cannot be read.
   */
  async wait(id: string, { timeout = 1800, pollEvery }: Waiting = {}): Promise<ClassScan> {
    const endsAt = performance.now() + timeout * 1000;
    for (const seconds of polls(pollEvery)) {
      const scan = await this.retrieve(id);
      if (scan.status === "failed") throw new ClassScanFailed(scan);
      if (scan.status !== "processing" && scan.status !== "confirming") return scan;
      if (performance.now() + seconds * 1000 > endsAt) break;
      await sleep(seconds);
    }
    throw new WaitTimeout(`${id} was not done within ${timeout} seconds.`);
  }

  retrieve(id: string): Promise<ClassScan> {
    return this.client.request({ method: "GET", path: `/v1/class_scans/${id}` });
  }

  /**
   * Makes one submission of each script, in the background: of those proposed, or of `scripts` in their place. Pages
   * that none of them names are left out.
   */
  confirm(id: string, confirmation: NewClassScanConfirmation = {}): Promise<ClassScan> {
    return this.client.request({ method: "POST", path: `/v1/class_scans/${id}/confirm`, body: confirmation });
  }

  /** Deletes the scan with its pages. Submissions that were made of it stay. */
  delete(id: string): Promise<void> {
    return this.client.request({ method: "DELETE", path: `/v1/class_scans/${id}` });
  }
}
