import type { Language } from "../../shared/texts/language.ts";
import { fill } from "../../shared/texts/message.ts";
import { mailContent } from "../mail/mail-content.ts";
import type { MailContent } from "../mail/mailer.ts";
import { MAIL_TEXTS } from "../mail/texts/mail-texts.ts";
import { browserName } from "./browser-name.ts";

/** The browser with which an account was changed. */
export interface ChangingBrowser {
  /** Its `User-Agent` header. */
  readonly userAgent: string;
  /** Language of the person at it. */
  readonly language: Language;
}

/** The mail to the previous address after it was replaced. */
export function emailChangedNotice(browser: ChangingBrowser): MailContent {
  return notice("emailChanged", browser);
}

/** The mail to the address of a deleted account. */
export function accountDeletedNotice(browser: ChangingBrowser): MailContent {
  return notice("accountDeleted", browser);
}

function notice(change: "emailChanged" | "accountDeleted", { userAgent, language }: ChangingBrowser): MailContent {
  const texts = MAIL_TEXTS[language];
  const { subject, text } = texts[change];
  const done = fill<"browser">(text, { browser: browserName(userAgent, language) });
  return mailContent(subject, [done, texts.notYou], language);
}
