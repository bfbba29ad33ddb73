import type { AuthContext } from "../web/http/hono-context.ts";
import { MAX_SMALL_BODY_BYTES, mediaTypeOf, smallBody } from "../web/http/request-body.ts";
import { PageError } from "../web/pages/page-error.ts";
import { pageForm } from "../web/pages/page-form.ts";
import { invalidRequest, OAuthAnswerError } from "./oauth-error.ts";

/** A parameter of a request, decoded. */
export interface OAuthParameter {
  readonly name: string;
  readonly value: string;
}

/** Bounds of the contract: number of parameters, and lengths in characters. */
const MAX_PARAMETERS = 64;
const MAX_NAME = 256;
const MAX_VALUE = 8192;
const FORM_TYPE = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
/** A string literal of valid JSON. */
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;

/**
 * Returns the parameters of a query or a form in their order, repeated ones included: the auth service judges them.
 *
 * @throws OAuthAnswerError `invalid_request` where there are more or longer ones than the contract allows
 */
export function parametersOf(entries: Iterable<readonly [name: string, value: string]>): OAuthParameter[] {
  const parameters = Array.from(entries, ([name, value]) => ({ name, value }));
  if (parameters.length > MAX_PARAMETERS) throw invalidRequest(`more than ${MAX_PARAMETERS} parameters`);
  if (parameters.every(({ name, value }) => name.length <= MAX_NAME && value.length <= MAX_VALUE)) return parameters;
  throw invalidRequest("a parameter is too long");
}

/**
 * Returns the parameters of a token or revocation request. The body is a form (RFC 6749 section 4.1.3) or a JSON
 * object of strings with the same names. Parameters of the query don't count.
 *
 * @throws OAuthAnswerError `invalid_request`
 */
export async function bodyParameters(c: AuthContext): Promise<OAuthParameter[]> {
  if (mediaTypeOf(c) === JSON_TYPE) return parametersOf(jsonEntries(await parametersBody(c)));
  if (mediaTypeOf(c) === FORM_TYPE) return formParameters(c);
  throw invalidRequest(`the body must be ${FORM_TYPE} or ${JSON_TYPE}`, { status: 415 });
}

/**
 * Returns the parameters of a request whose body may only be a form. Parameters of the query don't count.
 *
 * @throws OAuthAnswerError `invalid_request`
 */
export async function formParameters(c: AuthContext): Promise<OAuthParameter[]> {
  if (mediaTypeOf(c) !== FORM_TYPE) throw invalidRequest(`the body must be ${FORM_TYPE}`, { status: 415 });
  return parametersOf(new URLSearchParams(await parametersBody(c)));
}

async function parametersBody(c: AuthContext): Promise<string> {
  const body = await smallBody(c);
  if (body !== undefined) return body;
  throw invalidRequest(
    `the body is larger than ${MAX_SMALL_BODY_BYTES} bytes, or cut into many chunks of a few bytes`,
    { status: 413 },
  );
}

function jsonEntries(body: string): [name: string, value: string][] {
  const parsed = parseJson(body);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw invalidRequest("the body must be a JSON object");
  }
  const entries = Object.entries(parsed).map(([name, value]): [string, string] => {
    if (typeof value === "string" && value.isWellFormed() && name.isWellFormed()) return [name, value];
    throw invalidRequest("every member of the JSON object must be a string");
  });
  refuseRepeatedMembers(body, entries.length);
  return entries;
}

/**
 * Refuses members that come twice. `JSON.parse` keeps only the last one, so the text then has more strings than
 * members.
 */
function refuseRepeatedMembers(json: string, members: number): void {
  if ((json.match(JSON_STRING) ?? []).length === 2 * members) return;
  throw invalidRequest("a member of the JSON object is sent more than once");
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw invalidRequest("the body is no JSON");
  }
}

/** Half of what Node takes as the headers of a request, one of which is then the address. */
const MAX_FORM_BYTES = 8 * 1024;

/**
 * Returns the fields of a form by an application, for the address that the browser is led to: it sends our cookies, which are
 * `SameSite=Lax`, with that one only.
 *
 * @throws PageError where the body is too large or of another type
 */
export async function fieldsForAddress(c: AuthContext): Promise<URLSearchParams> {
  return new URLSearchParams((await pageForm(c, MAX_FORM_BYTES)).query());
}

/** Returns the parameters of a request by an application whose answer is a page. @throws PageError where there are too many */
export function queryParameters(c: AuthContext): OAuthParameter[] {
  return pageParameters(new URL(c.req.url).searchParams);
}

/** Returns the parameters of a query or form. @throws PageError where there are more or longer ones than the contract allows */
export function pageParameters(entries: Iterable<readonly [name: string, value: string]>): OAuthParameter[] {
  try {
    return parametersOf(entries);
  } catch (error) {
    if (!(error instanceof OAuthAnswerError)) throw error;
    throw new PageError(
      400,
      ({ authorization }) => authorization.untrustedTitle,
      ({ authorization }) => authorization.mistaken,
      {
        detail: `${error.error}: ${error.message}`,
      },
    );
  }
}
