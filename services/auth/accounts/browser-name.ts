import { parseUserAgent } from "../../shared/http/user-agent.ts";
import type { Language } from "../../shared/texts/language.ts";
import { fill } from "../../shared/texts/message.ts";
import { MAIL_TEXTS } from "../mail/texts/mail-texts.ts";

/** Names a browser for a sentence, such as `Firefox on Windows`, from its `User-Agent` header. */
export function browserName(userAgent: string, language: Language): string {
  const { browser, system } = parseUserAgent(userAgent);
  const texts = MAIL_TEXTS[language].browser;
  if (browser !== undefined) return system === undefined ? browser : fill(texts.onSystem, { browser, system });
  return system === undefined ? texts.unknown : fill(texts.unknownOnSystem, { system });
}
