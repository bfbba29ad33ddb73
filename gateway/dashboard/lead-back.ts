import type { AuthContext } from "../web/http/hono-context.ts";

/**
 * Redirects to the page that has the form. Browsers come here by `GET` when somebody loads the address again where the errors
 * of a form were shown.
 */
export function leadBack(c: AuthContext): Response {
  return c.redirect(c.req.path.replace(/\/(?:redirect-uris\/)?[a-z]+$/, ""), 303);
}
