import { ACCOUNT_WORDS } from "../../../common/internal-api/account-words.ts";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { utcText } from "../../../common/platform/language/utc-text.ts";
import { accountChangeNotice } from "../accounts/account-notice.ts";
import type { MailContent } from "../base/mailer.ts";
import { browserName, type MailBrowser } from "../mail/browser-name.ts";
import { mailContent } from "../mail/mail-content.ts";
import { MAIL_TEXTS } from "../mail/texts/mail-texts.ts";
import type { Recovery, RecoveryNotice } from "./recovery.ts";

/** The mail about a recovery that waits, can be completed or has expired. @param issuer the origin of `AUTH_URL` */
export function recoveryNotice(notice: RecoveryNotice, recovery: Recovery, issuer: string): MailContent {
  const { language, readyAtMs, expiresAtMs } = recovery;
  const texts = MAIL_TEXTS[language];
  const { host } = new URL(issuer);
  const [ready, end] = [timeText(readyAtMs, language), timeText(expiresAtMs, language)];
  const stopping = { host, button: ACCOUNT_WORDS[language].stopRecovery };
  switch (notice) {
    case "begun": {
      if (recovery.byOperator) return begunByOperator(recovery, host);
      const { subject, text, stop } = texts.recoveryBegun;
      return mailContent(subject, [fill(text, { ready }), fill(stop, stopping)], language);
    }
    case "reminder": {
      const { subject, text, stop } = texts.recoveryReminder;
      return mailContent(subject, [fill(text, { ready }), fill(stop, stopping)], language);
    }
    case "ready": {
      const { subject, text, stop } = texts.recoveryReady;
      return mailContent(subject, [fill(text, { end, host }), fill(stop, stopping)], language);
    }
    case "expired":
      return mailContent(texts.recoveryExpired.subject, [texts.recoveryExpired.text], language);
  }
}

function begunByOperator({ language, readyAtMs }: Recovery, host: string): MailContent {
  const { subject, text } = MAIL_TEXTS[language].recoveryBegunByOperator;
  return mailContent(subject, [fill(text, { ready: timeText(readyAtMs, language), host })], language);
}

/** The mail after a recovery was stopped. */
export function recoveryStoppedNotice({ userAgent, language }: MailBrowser): MailContent {
  const { subject, text, again } = MAIL_TEXTS[language].recoveryStopped;
  return mailContent(subject, [fill(text, { browser: browserName(userAgent, language) }), again], language);
}

/** The mail after a recovery was completed. */
export function recoveryCompletedNotice(browser: MailBrowser): MailContent {
  return accountChangeNotice("recoveryCompleted", browser);
}

/** The mail after a passkey became necessary for signing in, or no longer is. */
export function passkeyRequiredNotice(required: boolean, browser: MailBrowser): MailContent {
  return accountChangeNotice(required ? "passkeyRequired" : "passkeyNotRequired", browser);
}

function timeText(atMs: bigint, language: Language): string {
  return utcText(new Date(Number(atMs)), language);
}
