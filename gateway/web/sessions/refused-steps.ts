import { randomBytes } from "node:crypto";
import { countAs } from "../http/counted-status.ts";
import type { AuthContext } from "../http/hono-context.ts";
import { REFUSAL_COOKIE_S } from "../lifetimes.ts";
import type { AuthDependencies } from "./auth-dependencies.ts";
import { STEP_ID } from "./browser-cookies.ts";
import { openRefusal, type Refusal, sealRefusal } from "./sealed-refusal.ts";

/** The page of a form. */
export interface Step {
  /** Path and query at which a GET shows it; it reads what was refused with `shownRefusal`. */
  readonly address: string;
  /** The token of the cookie that its forms are bound to. */
  readonly secret: string;
}

type Cookies = Pick<AuthDependencies, "cookies">;

const STEP_PARAMETER = "step";
const STEP_BYTES = 16;
const REFUSED_ENTRY = 422;

/**
 * Answers a form that was refused: leads to its page by GET, whose address names the step. So a reload, a discarded tab and
 * the Enter key in the address bar show the page again and send nothing.
 *
 * @param status by which metrics count the answer
 */
export function redirectRefused(
  c: AuthContext,
  dependencies: Cookies,
  step: Step,
  refusal: Refusal,
  status: number = REFUSED_ENTRY,
): Response {
  countAs(c.env.outgoing, status);
  return redirectToStep(c, dependencies, step, refusal);
}

/** Leads to a page that shows more than its address may have, as `redirectRefused` does, where nothing was refused. */
export function redirectToStep(
  c: AuthContext,
  { cookies }: Cookies,
  { address, secret }: Step,
  content: Refusal,
): Response {
  const id = randomBytes(STEP_BYTES).toString("base64url");
  const expiresAt = Date.now() + REFUSAL_COOKIE_S * 1000;
  cookies.setRefusal(c, id, sealRefusal({ id, page: pathOf(address), secret }, content, expiresAt));
  return c.redirect(withStep(address, id), 303);
}

/**
 * Returns the refusal that the address of a GET names; undefined without one that this page, session and browser may see.
 *
 * @param secret that of the page's forms
 */
export function shownRefusal(c: AuthContext, { cookies }: Cookies, secret: string): Refusal | undefined {
  const id = stepOf(c);
  const text = id && cookies.refusal(c, id);
  return text ? openRefusal({ id, page: c.req.path, secret }, text, Date.now()) : undefined;
}

/** A form that was sent, for a failure that nobody expected to lead back to its page. */
export interface SentForm {
  readonly address: string;
  /** Undefined where the browser has no cookie that the form could be bound to: then nothing can be shown at the address alone. */
  readonly secret: string | undefined;
  /** Entries that the page shows again. Never a code or another secret. */
  readonly values: Refusal["values"];
}

const sentForms = new WeakMap<AuthContext, SentForm>();

/** Notes the form of a POST once it has been read: from here on a failure leads back to its page. */
export function noteForm(c: AuthContext, form: SentForm): void {
  sentForms.set(c, form);
}

/** Returns the form that the request has sent; undefined before it is known, and for a script's call, which wants the status. */
export function sentForm(c: AuthContext): SentForm | undefined {
  return sentForms.get(c);
}

/** Returns the address of a page with the step that the request names, so that links to the same page keep the refusal. */
export function keepStep(c: AuthContext, address: string): string {
  const id = stepOf(c);
  return id === undefined ? address : withStep(address, id);
}

function stepOf(c: AuthContext): string | undefined {
  const id = c.req.query(STEP_PARAMETER) ?? "";
  return STEP_ID.test(id) ? id : undefined;
}

function pathOf(address: string): string {
  return address.split("?", 1)[0] ?? "";
}

function withStep(address: string, id: string): string {
  const [path = "", query] = address.split("?");
  const parameters = new URLSearchParams(query);
  parameters.set(STEP_PARAMETER, id);
  return `${path}?${parameters}`;
}
