import { parseUserAgent } from "../../shared/http/user-agent.ts";

/** Names a browser for a sentence, such as `Firefox on Windows`, from its `User-Agent` header. */
export function browserName(userAgent: string): string {
  const { browser, system } = parseUserAgent(userAgent);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return system === undefined ? "an unknown browser" : `a browser on ${system}`;
}
