import { deriveKey } from "../../../common/platform/secrets/derive-key.ts";
import { unwrap, wrap } from "../../../common/platform/secrets/wrap.ts";

/** A form that was refused, for its page to show again. */
export interface Refusal {
  /** Name of the problem; the page has a text for it in each language. */
  readonly problem: string;
  /** Entries by field, and the values of the problem's text. Never a code or another secret, but a handle that works in the same session only. */
  readonly values: Readonly<Record<string, string>>;
}

/** The step of a form that was refused. */
export interface RefusedStep {
  /** Public: it stands in the address. */
  readonly id: string;
  /** Path of the page, as no other page shows the refusal. */
  readonly page: string;
  /** The token of the cookie that the page's forms are bound to. */
  readonly secret: string;
}

interface Content extends Refusal {
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Bound of a refusal, which the text that a wallet signs needs, so that a few of them fit into the 8 KiB that proxies allow for the line of all cookies. */
const MAX_BYTES = 1024;
/** A time with as many digits as any. */
const LATEST_TIME = 9_999_999_999_999;
const KEY_PURPOSE = "tidemark refused step";

/** Whether a refusal can be kept whole: the page of a form that may have more answers itself, as nothing that was entered may be lost. */
export function canKeep(refusal: Refusal): boolean {
  return contentOf({ ...refusal, expiresAt: LATEST_TIME }).length <= MAX_BYTES;
}

/**
 * Returns the text of a cookie that only `openRefusal` with the same step reads. The longest values are left out if all of
 * them are more than fits.
 */
export function sealRefusal(step: RefusedStep, { problem, values }: Refusal, expiresAt: number): string {
  const entries = Object.entries(values).sort(([, one], [, other]) => one.length - other.length);
  const bytes = () => contentOf({ problem, values: Object.fromEntries(entries), expiresAt });
  while (bytes().length > MAX_BYTES && entries.length > 0) entries.pop();
  return wrap(keyOf(step), nameOf(step), bytes()).toString("base64url");
}

/**
 * Returns the refusal of a cookie; undefined if it has expired, was changed, or is another step's, page's, session's or
 * browser's.
 */
export function openRefusal(step: RefusedStep, text: string, now: number): Refusal | undefined {
  const bytes = unwrap(keyOf(step), nameOf(step), Buffer.from(text, "base64url"));
  if (bytes === undefined) return undefined;
  const { problem, values, expiresAt }: Content = JSON.parse(bytes.toString());
  return now < expiresAt ? { problem, values } : undefined;
}

function contentOf({ problem, values, expiresAt }: Content): Buffer {
  return Buffer.from(JSON.stringify({ problem, values, expiresAt }));
}

function keyOf({ secret }: RefusedStep): Uint8Array {
  return deriveKey(Buffer.from(secret), KEY_PURPOSE);
}

function nameOf({ id, page }: RefusedStep): string {
  return `${page}\n${id}`;
}
