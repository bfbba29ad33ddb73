import { eachLanguage, type Language } from "../../common/platform/language/language.ts";
import type { DocumentKind } from "../web/http/public-document.ts";
import type { RawHeaders } from "../web/http/public-headers.ts";

/**
 * A page loads files of this origin only, runs no inline code, and can't be framed: other sites use the custom
 * element.
 */
const POLICY_HEADERS = policyHeaders("'self'");

/** @param connects what pages may connect to */
function policyHeaders(connects: string): readonly string[] {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${connects}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
  return ["Content-Security-Policy", policy, "X-Content-Type-Options", "nosniff", "X-Frame-Options", "DENY"];
}

const SECURITY_HEADERS = [...POLICY_HEADERS, "Referrer-Policy", "strict-origin-when-cross-origin"];

/** Request headers by which the language of an answer is chosen. */
const VARIES_BY = ["Accept-Language", "Cookie"];

function kindOf(mediaType: string, headers: RawHeaders, language: Language): DocumentKind {
  return { mediaType, headers: [...headers, "Content-Language", language], postHeaders: [], variesBy: VARIES_BY };
}

export const HTML = eachLanguage((_, language) => kindOf("text/html; charset=utf-8", SECURITY_HEADERS, language));
/** A page about somebody's wallet: for the reader who has asked, and nothing about it leaves with a link. */
export const WALLET_HTML = eachLanguage((_, language) =>
  kindOf(HTML[language].mediaType, [...POLICY_HEADERS, "Referrer-Policy", "no-referrer"], language),
);

/**
 * The page that compares figures with a node of the reader's choice: the only one that may connect elsewhere. It has no session, and no
 * node learns where its reader came from.
 */
export const VERIFY_HTML = eachLanguage((_, language) => {
  const headers = policyHeaders("'self' https: http://localhost:* http://127.0.0.1:*");
  return kindOf(HTML[language].mediaType, [...headers, "Referrer-Policy", "no-referrer"], language);
});

const SVG_HEADERS = [
  "Content-Security-Policy",
  "default-src 'none'; style-src 'unsafe-inline'",
  "X-Content-Type-Options",
  "nosniff",
];
export const SVG = eachLanguage((_, language) => kindOf("image/svg+xml", SVG_HEADERS, language));
