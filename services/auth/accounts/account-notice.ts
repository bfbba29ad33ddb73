import { fill } from "../../../common/platform/language/message.ts";
import type { MailContent } from "../base/mailer.ts";
import { browserName, type MailBrowser } from "../mail/browser-name.ts";
import { mailContent } from "../mail/mail-content.ts";
import { MAIL_TEXTS } from "../mail/texts/mail-texts.ts";

/** The mail to the previous address after it was replaced. @param tokensEnded whether the tokens of all applications have ended too */
export function emailChangedNotice(browser: MailBrowser, tokensEnded: boolean): MailContent {
  const { tokensEnded: ended, tokensKept: kept } = MAIL_TEXTS[browser.language].emailChanged;
  return accountChangeNotice("emailChanged", browser, [tokensEnded ? ended : kept]);
}

/** The mail to the address of a deleted account. */
export function accountDeletedNotice(browser: MailBrowser): MailContent {
  return accountChangeNotice("accountDeleted", browser);
}

/** The mail after a change of an account: what was done in which browser, and what to do if it wasn't its owner. */
export function accountChangeNotice(
  change: "emailChanged" | "accountDeleted" | "passkeyRequired" | "passkeyNotRequired" | "recoveryCompleted",
  { userAgent, language }: MailBrowser,
  more: readonly string[] = [],
): MailContent {
  const texts = MAIL_TEXTS[language];
  const { subject, text } = texts[change];
  const done = fill<"browser">(text, { browser: browserName(userAgent, language) });
  return mailContent(subject, [done, ...more, texts.notYou], language);
}
