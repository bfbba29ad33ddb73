import { fill, type Message } from "../../../common/platform/language/message.ts";
import { utcText } from "../../../common/platform/language/utc-text.ts";
import type { RequestingApplication } from "../base/context.ts";
import { MAILED_CODE_LIFETIME_MS } from "../base/lifetimes.ts";
import type { MailContent } from "../base/mailer.ts";
import { browserName, type MailBrowser } from "../mail/browser-name.ts";
import { codeSubject, mailContent } from "../mail/mail-content.ts";
import { safeName } from "../mail/safe-text.ts";
import { MAIL_TEXTS } from "../mail/texts/mail-texts.ts";
import { formatOneTimeCode } from "./one-time-code.ts";

/** The lifetime of a code, in minutes. */
const MINUTES = `${MAILED_CODE_LIFETIME_MS / 60_000n}`;

/** The contents of a mail with a code, and the browser that requested it. */
export interface CodeMail extends MailBrowser {
  readonly code: string;
  /** The host of `AUTH_URL`, the only site where the code may be entered. */
  readonly host: string;
  /** When it was asked for. */
  readonly askedAtMs: bigint;
}

/** The mail with a code for a sign-in. */
export function signInMail(mail: CodeMail, application?: RequestingApplication): MailContent {
  const { subject, asked, askedByApplication, ignore } = MAIL_TEXTS[mail.language].signIn;
  const names = application && { application: safeName(application.name), sale: safeName(application.saleName) };
  return codeMail(mail, subject, { asked: names ? fill(askedByApplication, names) : asked, ignore });
}

/** The mail to a new address. Its code proves that the account's owner can read mails there. */
export function emailChangeMail(mail: CodeMail): MailContent {
  const { subject, ...texts } = MAIL_TEXTS[mail.language].emailChange;
  return codeMail(mail, subject, texts);
}

function codeMail(
  { code, host, userAgent, language, askedAtMs }: CodeMail,
  subject: Message<"code">,
  { asked, ignore }: { readonly asked: string; readonly ignore: string },
): MailContent {
  const { place, warning, time } = MAIL_TEXTS[language].code;
  const shown = formatOneTimeCode(code);
  const where = fill(place, { host, minutes: MINUTES, browser: browserName(userAgent, language) });
  const when = fill(time, { time: utcText(new Date(Number(askedAtMs)), language) });
  const blocks = [asked, { code: shown }, `${where} ${when}`, `${ignore} ${warning}`];
  return mailContent(codeSubject(subject, shown), blocks, language);
}
