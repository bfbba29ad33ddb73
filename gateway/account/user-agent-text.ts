import { parseUserAgent } from "../../services/shared/http/user-agent.ts";

/** Returns a browser's name from its `User-Agent` header, such as `Firefox on Windows`. */
export function userAgentText(userAgent: string): string {
  const { browser, system } = parseUserAgent(userAgent);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return system === undefined ? "Unknown browser" : `Browser on ${system}`;
}
