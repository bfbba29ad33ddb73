import { createHash, timingSafeEqual } from "node:crypto";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { fill } from "../../../common/platform/language/message.ts";
import type { AuthContext } from "../http/hono-context.ts";
import { boundedBody, MAX_SMALL_BODY_BYTES, mediaTypeOf } from "../http/request-body.ts";
import type { PageText } from "../texts/texts.ts";
import { PageError } from "./page-error.ts";

/** Name of the hidden field that binds a form to a browser. */
export const FORM_TOKEN_FIELD = "form_token";

/** Purpose of the form that signs out; the consent page and the account page both have one. */
export const SIGN_OUT_FORM = "sign-out";

/** The fields of a posted form. */
export class PageForm {
  readonly #fields: URLSearchParams;

  constructor(body: string) {
    this.#fields = new URLSearchParams(body);
  }

  /** Returns a field's value; empty where the field is absent. @throws PageError 400 where it was sent twice */
  text(name: string): string {
    const [value = "", ...more] = this.all(name);
    if (more.length === 0) return value;
    throw unreadableForm(400, ({ form }) => form.sentTwice);
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  /** Returns the values of a field. Browsers send a line break as two characters, where `maxlength` and people count one. */
  all(name: string): string[] {
    return this.#fields.getAll(name).map((value) => value.replaceAll("\r\n", "\n"));
  }

  /** Returns the values of some fields for their page to show again, of those that were sent; several of one with spaces between. */
  values(names: readonly string[]): Readonly<Record<string, string>> {
    const sent = names.filter((name) => this.has(name));
    return Object.fromEntries(sent.map((name) => [name, this.all(name).join(" ")]));
  }

  /** Returns all fields as the query of an address, in their order, repeated ones included. */
  query(): string {
    return this.#fields.toString();
  }
}

/** Fields that the page of a form shows again after a failure; for a script's call, which gets the status of the failure, there is no page. */
export type KeptFields = readonly string[] | "script";

/** Reads the form of a request. @throws PageError where the body is too large or of another type */
export async function pageForm(c: AuthContext, maxBytes = MAX_SMALL_BODY_BYTES): Promise<PageForm> {
  if (mediaTypeOf(c) !== "application/x-www-form-urlencoded") {
    throw unreadableForm(415, ({ form }) => form.wrongType);
  }
  const body = await boundedBody(c, maxBytes);
  if (body !== undefined) return new PageForm(body.toString("utf8"));
  throw unreadableForm(413, ({ form }) => fill(form.tooLarge, { bytes: String(maxBytes) }));
}

/** Returns the error about a form that no page of ours sends. @param text what is wrong with it */
export function unreadableForm(status: 400 | 413 | 415, text: PageText): PageError {
  return new PageError(status, ({ form }) => form.unreadable, text);
}

/** Returns the UUID in a hidden field. @throws PageError 400 where it is none */
export function uuidField(form: PageForm, name: string): string {
  const uuid = parseUuid(form.text(name));
  if (uuid !== undefined) return uuid;
  throw unreadableForm(400, (texts) => fill(texts.form.notUuid, { field: name }));
}

/**
 * Returns the value of the hidden field. It is valid for one kind of form, and only with the cookie that has the
 * secret: the token of the session or of the browser. It doesn't reveal the secret.
 */
export function formToken(purpose: string, secret: string): string {
  return createHash("sha256").update(`tidemark form\n${purpose}\n${secret}`).digest("base64url");
}

/** Whether a form's token is the one for its purpose and the browser's secret, compared in constant time. */
export function isFormToken(token: string, purpose: string, secret: string | undefined): boolean {
  const expected = Buffer.from(formToken(purpose, secret ?? ""));
  const given = Buffer.from(token);
  return secret !== undefined && given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Returns where a request comes from: a page of this origin, or elsewhere, by `Sec-Fetch-Site`, or by `Origin` for browsers that don't
 * send the former. Undefined where an extension or a proxy has removed both. `Referer` doesn't count.
 */
export function sourceOf(c: AuthContext, authUrl: string): "own page" | "elsewhere" | undefined {
  const [site, origin] = [c.req.header("sec-fetch-site"), c.req.header("origin")];
  if (site === undefined && origin === undefined) return undefined;
  const isOwn = site === undefined ? origin === authUrl : site === "same-origin";
  return isOwn ? "own page" : "elsewhere";
}
