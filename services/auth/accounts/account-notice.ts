import { mailContent } from "../mail/mail-content.ts";
import type { MailContent } from "../mail/mailer.ts";
import { browserName } from "./browser-name.ts";

/** The mail to the previous address after it was replaced. @param userAgent the header of the browser that did it */
export function emailChangedNotice(userAgent: string): MailContent {
  return mailContent("The e-mail address of your account was changed", [
    `The e-mail address of your account was changed with ${browserName(userAgent)}. From now on this address no longer signs in to it.`,
    "If it wasn't you, contact the people who run the sale at once.",
  ]);
}

/** The mail to the address of a deleted account. @param userAgent the header of the browser that did it */
export function accountDeletedNotice(userAgent: string): MailContent {
  return mailContent("Your account was deleted", [
    `Your account was deleted with ${browserName(userAgent)}, together with everything that you had granted to applications.`,
    "If it wasn't you, contact the people who run the sale at once.",
  ]);
}
