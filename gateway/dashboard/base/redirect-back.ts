import type { AuthContext } from "../../web/http/hono-context.ts";

/**
 * Redirects to the page that has the form. A browser sends `GET` to a form's address when somebody reloads the page
 * with the form's errors.
 */
export function redirectBack(c: AuthContext): Response {
  return c.redirect(c.req.path.replace(/\/(?:redirect-uris\/)?[a-z]+$/, ""), 303);
}
