/** Where the browser lets a page's forms lead, the redirects after them included. */
export type FormTargets = "self" | "https" | "loopback";

/**
 * `form-action` has to let the redirects after a form through, as browsers apply it to the whole chain, and where a
 * registered redirect URI leads on to is nobody's but the application's to know.
 */
const FORM_ACTIONS: Readonly<Record<FormTargets, string>> = {
  self: "'self'",
  https: "'self' https:",
  loopback: "'self' https: http:",
};

/**
 * Headers of a page: it is never stored or framed, and loads nothing but ours.
 *
 * @param hasScript whether it runs a script of ours; else it runs none
 */
export function pageHeaders(targets: FormTargets, hasScript = false): Readonly<Record<string, string>> {
  return {
    "Cache-Control": "no-store",
    "Content-Security-Policy": [
      "default-src 'none'",
      ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
      "style-src 'self'",
      "img-src 'self'",
      `form-action ${FORM_ACTIONS[targets]}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join("; "),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
  };
}
