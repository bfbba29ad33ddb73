import { withAsciiDomain } from "../../../common/platform/names/email-address.ts";

/** The content of a mail, the same as text and as HTML. Neither contains a link that signs in. */
export interface MailContent {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mail extends MailContent {
  /** One address, normalised by `parseEmailAddress`. */
  readonly to: string;
  /** Where a mail program ends mails like this one by a POST (RFC 8058); only of mails that somebody has asked for and may get often. */
  readonly unsubscribeUrl?: string;
}

/** Returns the headers by which a mail program offers to end mails like this one. */
export function unsubscribeHeaders({ unsubscribeUrl }: Pick<Mail, "unsubscribeUrl">): Readonly<Record<string, string>> {
  if (unsubscribeUrl === undefined) return {};
  return { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/** Sends mails, each within a time limit. */
export interface Mailer {
  /** @throws ServiceError `unavailable` where it isn't known that the mail was accepted for delivery. */
  send(mail: Mail): Promise<void>;
}

/** A mailer with connections that must be closed. */
export interface OpenMailer extends Mailer {
  close(): Promise<void>;
}

/** The sender of a mail: an e-mail address with or without a name. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

const ADDRESS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9.-]{1,253}$/;
const NAMED = /^"?([^"<>\p{Cc}]{1,100}?)"? *<([^<>]+)>$/u;

/** Parses `name@example.com` or `Some Name <name@example.com>`, with a domain of any script; undefined for other text. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, name = "", written = text] = NAMED.exec(text) ?? [];
  const address = withAsciiDomain(written);
  return ADDRESS.test(address) ? { name: name.trim(), address } : undefined;
}

/** The mailbox as mail headers write it. Names contain no quotes: `parseMailbox` refuses them. */
export function formatMailbox({ name, address }: Mailbox): string {
  return name === "" ? address : `"${name}" <${address}>`;
}
