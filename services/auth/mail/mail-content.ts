import { escapeHtml } from "../../../common/platform/encoding/escape-html.ts";
import { DEFAULT_LANGUAGE, type Language } from "../../../common/platform/language/language.ts";
import { fill, type Message } from "../../../common/platform/language/message.ts";
import type { SALE_EVENTS, SaleEventName } from "../../../common/sale/words/sale-event-words.ts";
import type { MailContent } from "../base/mailer.ts";
import type { MAIL_TEXTS } from "./texts/mail-texts.ts";

/** A part of a mail: a paragraph, a one-time code in large type, a link to a page of ours, or a list. */
export type MailBlock =
  | string
  | { readonly code: string }
  | { readonly link: string }
  | { readonly items: readonly string[] };

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const CODE_FONT = "font-family:ui-monospace,Menlo,Consolas,monospace";

/** Makes a mail as text and as HTML. @param blocks names in them went through `quotedName` or `safeName` */
export function mailContent(
  subject: MailSubject | CodeSubject,
  blocks: readonly MailBlock[],
  language: Language = DEFAULT_LANGUAGE,
): MailContent {
  const text = `${blocks.map(textOfBlock).join("\n\n")}\n`;
  return { subject, text, html: htmlPage(subject, blocks.map(htmlOfBlock).join("\n"), language) };
}

function textOfBlock(block: MailBlock): string {
  if (typeof block === "string") return block;
  if ("code" in block) return `    ${block.code}`;
  if ("link" in block) return `    ${block.link}`;
  return block.items.map((item) => `  - ${item}`).join("\n");
}

function htmlOfBlock(block: MailBlock): string {
  if (typeof block === "string") return `<p style="margin:0 0 16px">${escapeHtml(block)}</p>`;
  if ("code" in block) {
    const style = `margin:0 0 16px;${CODE_FONT};font-size:28px;font-weight:700;letter-spacing:2px`;
    return `<p style="${style}">${escapeHtml(block.code)}</p>`;
  }
  if ("link" in block) {
    const address = escapeHtml(block.link);
    return `<p style="margin:0 0 16px;overflow-wrap:anywhere"><a href="${address}">${address}</a></p>`;
  }
  const items = block.items.map((item) => `<li style="overflow-wrap:anywhere">${escapeHtml(item)}</li>`);
  return `<ul style="margin:0 0 16px;padding-left:20px">${items.join("")}</ul>`;
}

/** A page that asks mail programs not to turn dates, names and addresses into links. */
function htmlPage(title: string, body: string, language: Language): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:24px;${FONT};font-size:16px;line-height:1.5">
<div style="max-width:480px;margin:0 auto">
${body}
</div>
</body>
</html>
`;
}

type TranslatedSubject = (typeof MAIL_TEXTS)[Language][
  | "emailChanged"
  | "accountDeleted"
  | "passkeyAdded"
  | "passkeyRemoved"
  | "passkeyCopied"
  | "passkeyRequired"
  | "passkeyNotRequired"
  | "recoveryBegun"
  | "recoveryBegunByOperator"
  | "recoveryReminder"
  | "recoveryReady"
  | "recoveryStopped"
  | "recoveryExpired"
  | "recoveryCompleted"]["subject"];

type AlertTexts = (typeof MAIL_TEXTS)[Language]["saleAlert"];
type AlertSubject = Extract<AlertTexts[keyof AlertTexts], { readonly subject: string }>["subject"];

/**
 * The subjects of all mails but those with codes. None contains anything that somebody entered: a name in a subject could pose as a warning of
 * ours, with a host name to log in at.
 */
export type MailSubject =
  | TranslatedSubject
  | AlertSubject
  | "The redirect URIs of an application were changed"
  | "The members of a sale were changed"
  | "Whether a sale requires passkeys was changed"
  | (typeof SALE_EVENTS)[SaleEventName]["subject"]
  | "An application was disabled"
  | "The security of an application was changed"
  | "An application requires e-mail addresses"
  | "You were invited to a sale"
  | "Your identity check is complete"
  | "Your identity check was refused"
  | "Your identity check couldn't be finished"
  | "A question about your identity check"
  | "Your identity check ends soon"
  | "Your identity check has ended"
  | "Identity checks wait for you";

/** A subject with a one-time code. */
export type CodeSubject = string & { readonly [CODE_SUBJECT]: true };

declare const CODE_SUBJECT: unique symbol;

/** A code as `formatOneTimeCode` writes it. */
const SHOWN_CODE = /^[A-Z]{4}-[A-Z]{4}$/;

/** Returns a subject with a one-time code, so that people find it in a list of mails. @throws TypeError for any other text */
export function codeSubject(subject: Message<"code">, code: string): CodeSubject {
  if (!SHOWN_CODE.test(code)) throw new TypeError("a subject takes nothing but a code of ours");
  return fill(subject, { code }) as CodeSubject;
}
