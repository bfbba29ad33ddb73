import { parseUserAgent } from "../../shared/http/user-agent.ts";

/** A browser within a sentence, such as `Firefox on Windows`, by its `User-Agent` header. */
export function browserName(userAgent: string): string {
  const { browser, system } = parseUserAgent(userAgent);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return system === undefined ? "an unknown browser" : `a browser on ${system}`;
}
