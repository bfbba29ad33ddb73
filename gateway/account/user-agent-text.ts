import { parseUserAgent } from "../../common/platform/http/user-agent.ts";
import { fill } from "../../common/platform/language/message.ts";
import type { Texts } from "../web/texts/en.ts";

/** Returns a browser's name from its `User-Agent` header, such as `Firefox on Windows`. */
export function userAgentText(userAgent: string, { browser: texts }: Texts): string {
  const { browser, system } = parseUserAgent(userAgent);
  if (browser !== undefined) return system === undefined ? browser : fill(texts.onSystem, { browser, system });
  return system === undefined ? texts.unknown : fill(texts.unknownOnSystem, { system });
}
