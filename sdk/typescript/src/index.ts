/** Client for the Tickmark API. */
export { Client, type Options } from "./client.js";
export * from "./errors.js";
export { Pages, type Page } from "./pages.js";
export type { Content, ContentType } from "./requests.js";
export type * as types from "./schema.js";
export * as webhooks from "./webhooks.js";
