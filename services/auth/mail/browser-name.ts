import { parseUserAgent } from "../../../common/platform/http/user-agent.ts";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import type { Peer } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { MAIL_TEXTS, mailLanguage } from "./texts/mail-texts.ts";

/** The browser of somebody who gets a mail about what it has done. */
export interface MailBrowser {
  /** Its `User-Agent` header. */
  readonly userAgent: string;
  /** Language of its pages, and so of the mail. */
  readonly language: Language;
}

export function browserOf(peer: Peer | undefined): MailBrowser {
  return { userAgent: peer?.userAgent ?? "", language: mailLanguage(peer?.language) };
}

/** Names a browser for a sentence, such as `Firefox on Windows`, from its `User-Agent` header. */
export function browserName(userAgent: string, language: Language): string {
  const { browser, system } = parseUserAgent(userAgent);
  const texts = MAIL_TEXTS[language].browser;
  if (browser !== undefined) return system === undefined ? browser : fill(texts.onSystem, { browser, system });
  return system === undefined ? texts.unknown : fill(texts.unknownOnSystem, { system });
}
