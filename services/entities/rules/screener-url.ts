import type { BrokenRule } from "./amount-rules.ts";

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

/**
 * Checks the URL of a screener; an empty text is none.
 *
 * @returns the rule that it breaks; undefined if it breaks none
 */
export function screenerUrlViolation(text: string, tenancy: "test" | "live"): BrokenRule | undefined {
  if (text === "") return undefined;
  if (!URL.canParse(text)) return { rule: "screener_url.form", message: "must be a URL such as https://example.com/" };
  const url = new URL(text);
  const isLocal = tenancy === "test" && url.protocol === "http:" && LOOPBACK.has(url.hostname);
  if (url.protocol !== "https:" && !isLocal) return { rule: "screener_url.https", message: "must begin with https://" };
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    return { rule: "screener_url.parts", message: "must have neither a user name, a password nor a #" };
  }
  return undefined;
}
