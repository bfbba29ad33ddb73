import { fill } from "../../shared/texts/message.ts";
import { mailContent } from "../mail/mail-content.ts";
import type { MailContent } from "../mail/mailer.ts";
import { MAIL_TEXTS } from "../mail/texts/mail-texts.ts";
import { browserName, type MailBrowser } from "./browser-name.ts";

/** The mail to the previous address after it was replaced. */
export function emailChangedNotice(browser: MailBrowser): MailContent {
  return notice("emailChanged", browser);
}

/** The mail to the address of a deleted account. */
export function accountDeletedNotice(browser: MailBrowser): MailContent {
  return notice("accountDeleted", browser);
}

function notice(change: "emailChanged" | "accountDeleted", { userAgent, language }: MailBrowser): MailContent {
  const texts = MAIL_TEXTS[language];
  const { subject, text } = texts[change];
  const done = fill<"browser">(text, { browser: browserName(userAgent, language) });
  return mailContent(subject, [done, texts.notYou], language);
}
