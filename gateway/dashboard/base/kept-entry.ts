import { formToken, isFormToken } from "../../web/pages/page-form.ts";

const KEPT = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]+)$/;

/**
 * Returns an entry as a query parameter, for a page that shows it again after a sign-in. It is bound to the browser, so that
 * no link from elsewhere can fill a form.
 *
 * @param field the page and the field that it was entered in
 */
export function keptEntry(field: string, entry: string, browserToken: string): string {
  return `${formToken(purposeOf(field, entry), browserToken)}.${Buffer.from(entry).toString("base64url")}`;
}

/** Returns the entry of such a parameter; empty for one that this browser didn't get for the field. */
export function entryKept(field: string, kept: string, browserToken: string | undefined): string {
  const [, token = "", encoded = ""] = KEPT.exec(kept) ?? [];
  const entry = Buffer.from(encoded, "base64url").toString();
  return isFormToken(token, purposeOf(field, entry), browserToken) ? entry : "";
}

function purposeOf(field: string, entry: string): string {
  return ["kept-entry", field, entry].join("\n");
}
