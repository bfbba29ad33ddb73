import { randomBytes } from "node:crypto";
import type { AuthContext } from "../http/hono-context.ts";
import { REFUSAL_COOKIE_S } from "../lifetimes.ts";
import type { AuthDependencies } from "./auth-dependencies.ts";
import { STEP_ID } from "./browser-cookies.ts";
import { openRefusal, type Refusal, type RefusedStep, sealRefusal } from "./sealed-refusal.ts";

/** A page whose forms can be refused. */
export type StepPage = Pick<RefusedStep, "page" | "secret">;

const STEP_PARAMETER = "step";
const STEP_BYTES = 16;

/**
 * Answers a form that was refused: leads to its page by GET, whose address names the step. So a reload, a discarded tab and
 * the Enter key in the address bar show the page again and send nothing.
 *
 * @param address path and query at which a GET shows the page; it reads the refusal with `shownRefusal`
 */
export function redirectRefused(
  c: AuthContext,
  { cookies }: Pick<AuthDependencies, "cookies">,
  { address, ...page }: StepPage & { readonly address: string },
  refusal: Refusal,
): Response {
  const id = randomBytes(STEP_BYTES).toString("base64url");
  const expiresAt = Date.now() + REFUSAL_COOKIE_S * 1000;
  cookies.setRefusal(c, id, sealRefusal({ ...page, id }, refusal, expiresAt));
  return c.redirect(withStep(address, id), 303);
}

/** Returns the refusal that the address of a GET names; undefined without one that this page, session and browser may see. */
export function shownRefusal(
  c: AuthContext,
  { cookies }: Pick<AuthDependencies, "cookies">,
  page: StepPage,
): Refusal | undefined {
  const id = stepOf(c);
  const text = id && cookies.refusal(c, id);
  return text ? openRefusal({ ...page, id }, text, Date.now()) : undefined;
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

function withStep(address: string, id: string): string {
  const [path = "", query] = address.split("?");
  const parameters = new URLSearchParams(query);
  parameters.set(STEP_PARAMETER, id);
  return `${path}?${parameters}`;
}
