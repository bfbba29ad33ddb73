/** Targets that the browser allows for a page's forms and for the redirects after them. */
export type FormTargets = "self" | "https" | "loopback";

/**
 * Values of `form-action`. Browsers apply it to all redirects after a form. An application may redirect anywhere from
 * its registered redirect URI, so pages of an authorization have to allow every host.
 */
const FORM_ACTIONS: Readonly<Record<FormTargets, string>> = {
  self: "'self'",
  https: "'self' https:",
  loopback: "'self' https: http:",
};

/**
 * Returns the headers of a page. It is never stored or framed, and loads files of this origin only.
 *
 * @param fetches whether a script of the page asks this origin for more
 */
export function pageHeaders(targets: FormTargets, fetches = false): Readonly<Record<string, string>> {
  return {
    "Cache-Control": "no-store",
    "Content-Security-Policy": [
      "default-src 'none'",
      "script-src 'self'",
      ...(fetches ? ["connect-src 'self'"] : []),
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
