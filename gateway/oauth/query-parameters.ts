import type { AuthContext } from "../web/http/hono-context.ts";
import { PageError } from "../web/pages/page-error.ts";
import { pageForm } from "../web/pages/page-form.ts";
import { OAuthAnswerError } from "./oauth-error.ts";
import { type OAuthParameter, parametersOf } from "./parameters.ts";

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
