import type { AuthContext } from "../web/http/hono-context.ts";
import { PageError } from "../web/pages/page-error.ts";
import { OAuthAnswerError } from "./oauth-error.ts";
import { type OAuthParameter, parametersOf } from "./parameters.ts";

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
