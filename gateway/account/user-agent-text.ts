import { parseUserAgent } from "../../services/shared/http/user-agent.ts";

/** A browser as a heading, such as `Firefox on Windows`, by its `User-Agent` header. */
export function userAgentText(userAgent: string): string {
  const { browser, system } = parseUserAgent(userAgent);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return system === undefined ? "Unknown browser" : `Browser on ${system}`;
}
