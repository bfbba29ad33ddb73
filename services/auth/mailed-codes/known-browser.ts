import { timingSafeEqual } from "node:crypto";
import { macOf } from "../../../common/platform/secrets/mac.ts";
import { KNOWN_BROWSER_MS } from "../base/lifetimes.ts";

/** The number of addresses that one browser is known for; the one that signed in least recently is dropped. */
const MAX_ADDRESSES = 4;
const TIME_BYTES = 8;
/** The time of the sign-in and a MAC. */
const MARK_BYTES = TIME_BYTES + 32;

/**
 * Whether a browser has signed in to an address in the last 90 days, by the marks of its cookie.
 *
 * @param key `DerivedKeys.knownBrowser`
 * @param marks what `withKnownAddress` has returned for this browser, or any other text
 * @param email normalised by `parseEmailAddress`
 */
export function isKnownBrowser(key: Uint8Array, marks: string, email: string, nowMs: bigint): boolean {
  return liveMarks(marks, nowMs).some((mark) => isMarkOf(key, mark, email));
}

/** Returns the marks of a browser that has just signed in to an address. */
export function withKnownAddress(key: Uint8Array, marks: string, email: string, nowMs: bigint): string {
  const others = liveMarks(marks, nowMs).filter((mark) => !isMarkOf(key, mark, email));
  return [newMark(key, email, nowMs), ...others].slice(0, MAX_ADDRESSES).join(".");
}

function newMark(key: Uint8Array, email: string, nowMs: bigint): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(nowMs);
  return Buffer.concat([time, macOfMark(key, time, email)]).toString("base64url");
}

function liveMarks(marks: string, nowMs: bigint): readonly string[] {
  return marks.split(".", MAX_ADDRESSES).filter((mark) => {
    const bytes = Buffer.from(mark, "base64url");
    if (bytes.length !== MARK_BYTES || bytes.toString("base64url") !== mark) return false;
    const signedInAtMs = bytes.readBigUInt64BE();
    return signedInAtMs <= nowMs && nowMs - signedInAtMs < KNOWN_BROWSER_MS;
  });
}

function isMarkOf(key: Uint8Array, mark: string, email: string): boolean {
  const bytes = Buffer.from(mark, "base64url");
  return timingSafeEqual(bytes.subarray(TIME_BYTES), macOfMark(key, bytes.subarray(0, TIME_BYTES), email));
}

/** The cookie holds nothing of the address but this, which is useless without the key. */
function macOfMark(key: Uint8Array, time: Uint8Array, email: string): Buffer {
  return macOf(key, macOf(key, email), time);
}
