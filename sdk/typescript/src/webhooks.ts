// Receiving webhooks: is a delivery genuine, and what does it say.

import { createHmac, timingSafeEqual } from "node:crypto";
import { SignatureError } from "./errors.js";
import type { Event } from "./schema.js";

/** A delivery that was signed longer ago than this is refused. */
export const TOLERANCE_SECONDS = 300;

/**
 * The event in a delivery, when it is genuine; throws a SignatureError otherwise.
 *
 * `body` is the raw body as it arrived, `signature` the header Service-Signature. `event.type` tells what
 * `event.data.object` is. The same event can come twice and in any order: remember the ids that you have handled, and
 * ignore types that you do not know.
 */
export function verify(
  body: Uint8Array | string,
  signature: string | null | undefined,
  secret: string,
  options: { tolerance?: number; now?: number } = {},
): Event {
  const raw = typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parts = (signature ?? "").split(",").map((part): [string, string] => {
    const at = part.indexOf("=");
    return at < 0 ? [part.trim(), ""] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
  const signedAt = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (!/^[0-9]+$/.test(signedAt)) {
    throw new SignatureError("The Service-Signature header has no time: is this the raw header?");
  }
  const expected = createHmac("sha256", secret).update(`${signedAt}.`).update(raw).digest();
  const fits = parts.some(([name, value]) => {
    const given = Buffer.from(value, "hex");
    return name === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!fits) throw new SignatureError("No signature fits: check the secret, and pass the raw body.");
  const now = options.now ?? Date.now() / 1000;
  if (Math.abs(now - Number(signedAt)) > (options.tolerance ?? TOLERANCE_SECONDS)) {
    throw new SignatureError("The delivery was signed too long ago, or this machine's clock is wrong.");
  }
  return JSON.parse(raw.toString("utf8")) as Event;
}
