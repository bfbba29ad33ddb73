import type { DocumentKind } from "../web/http/public-document.ts";

/**
 * A page loads files of this origin only, runs no inline code, and can't be framed: other sites use the custom
 * element.
 */
const POLICY_HEADERS = [
  "Content-Security-Policy",
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "X-Content-Type-Options",
  "nosniff",
  "X-Frame-Options",
  "DENY",
];
/** Headers of every page. */
export const SECURITY_HEADERS = [...POLICY_HEADERS, "Referrer-Policy", "strict-origin-when-cross-origin"];

export const HTML: DocumentKind = { mediaType: "text/html; charset=utf-8", headers: SECURITY_HEADERS, postHeaders: [] };
/** A page about somebody's wallet: for the reader who has asked, and nothing about it leaves with a link. */
export const WALLET_HTML: DocumentKind = { ...HTML, headers: [...POLICY_HEADERS, "Referrer-Policy", "no-referrer"] };

export const SVG: DocumentKind = {
  mediaType: "image/svg+xml",
  headers: [
    "Content-Security-Policy",
    "default-src 'none'; style-src 'unsafe-inline'",
    "X-Content-Type-Options",
    "nosniff",
  ],
  postHeaders: [],
};
