// Lists: iterate over all items; pages are fetched as they are needed.

/** One page as the server sends it. */
export interface Page<T> {
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

/** All items of a list, in the server's order: `for await (const paper of client.papers.list())`. */
export class Pages<T> implements AsyncIterable<T> {
  constructor(private readonly fetchPage: (cursor: string | undefined) => Promise<Page<T>>) {}

  /** One page; without a cursor the first. */
  page(cursor?: string): Promise<Page<T>> {
    return this.fetchPage(cursor);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    let cursor: string | undefined;
    do {
      const page: Page<T> = await this.fetchPage(cursor);
      yield* page.data;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** The first item, if there is one. */
  async first(): Promise<T | undefined> {
    for await (const item of this) return item;
    return undefined;
  }

  /** Every item, in memory. */
  async all(): Promise<T[]> {
    const items: T[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}
