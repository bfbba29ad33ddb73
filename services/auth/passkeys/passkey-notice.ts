import { ACCOUNT_WORDS } from "../../../common/internal-api/account-words.ts";
import { fill } from "../../../common/platform/language/message.ts";
import type { MailContent } from "../base/mailer.ts";
import { browserName, type MailBrowser } from "../mail/browser-name.ts";
import { mailContent } from "../mail/mail-content.ts";
import { safeName } from "../mail/safe-text.ts";
import { MAIL_TEXTS } from "../mail/texts/mail-texts.ts";

/** The mail after a passkey was added. @param name of the passkey */
export function passkeyAddedNotice(name: string, browser: MailBrowser): MailContent {
  return notice("passkeyAdded", name, browser);
}

/** The mail after a passkey was removed. */
export function passkeyRemovedNotice(name: string, browser: MailBrowser): MailContent {
  return notice("passkeyRemoved", name, browser);
}

/** The mail after a sign-in was refused for its counter. */
export function copySuspectedNotice(name: string, browser: MailBrowser): MailContent {
  return notice("passkeyCopied", name, browser);
}

function notice(
  event: "passkeyAdded" | "passkeyRemoved" | "passkeyCopied",
  name: string,
  { userAgent, language }: MailBrowser,
): MailContent {
  const texts = MAIL_TEXTS[language];
  const { subject, text, advice } = texts[event];
  const done = fill<"browser" | "name">(text, { name: safeName(name), browser: browserName(userAgent, language) });
  const next = fill<"link">(advice, { link: ACCOUNT_WORDS[language].allPasskeysLost });
  return mailContent(subject, [done, next], language);
}
