import { mailContent } from "../mail/mail-content.ts";
import type { MailContent } from "../mail/mailer.ts";
import { quotedName } from "../mail/plain-text.ts";
import { browserName } from "./browser-name.ts";
import { formatOneTimeCode } from "./one-time-code.ts";

/** The application that a sign-in is for. Both names are free text of its founder. */
export interface MailApplication {
  readonly name: string;
  readonly saleName: string;
}

export interface CodeMail {
  readonly code: string;
  /** The `User-Agent` header of the browser that requested the code. */
  readonly userAgent: string;
  /** The host of `AUTH_URL`, the only site where the code may be entered. */
  readonly host: string;
}

const WARNING = "Never give the code to anybody, whoever asks for it.";

/** The mail with a code for a sign-in. */
export function signInMail(mail: CodeMail, application?: MailApplication): MailContent {
  return mailContent("Your sign-in code", [
    `You asked to sign in${application === undefined ? "" : purposeOf(application)}. This is the code:`,
    { code: formatOneTimeCode(mail.code) },
    placeAndTime(mail),
    `If it wasn't you, ignore this mail: without the code nobody can sign in. ${WARNING}`,
  ]);
}

/** The mail to a new address. Its code proves that the account's owner can read mails there. */
export function emailChangeMail(mail: CodeMail): MailContent {
  return mailContent("Your code to change your e-mail address", [
    "You asked to use this e-mail address for your account. This is the code that confirms it:",
    { code: formatOneTimeCode(mail.code) },
    placeAndTime(mail),
    `If it wasn't you, ignore this mail: without the code nothing changes. ${WARNING}`,
  ]);
}

function purposeOf({ name, saleName }: MailApplication): string {
  return ` to the application ${quotedName(name)} of the sale ${quotedName(saleName)}`;
}

function placeAndTime({ host, userAgent }: CodeMail): string {
  return `Enter it at ${host} within 10 minutes. It works once, and only in the browser that requested it: ${browserName(userAgent)}.`;
}
