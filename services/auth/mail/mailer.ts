/** What a mail says, the same in both forms. Neither form holds a link that signs in. */
export interface MailContent {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mail extends MailContent {
  /** One address, as `parseEmailAddress` returns it. */
  readonly to: string;
}

/** Sends mails, each within a bound of time. */
export interface Mailer {
  /** @throws ServiceError `unavailable` where the mail was not, or not known to be, taken over for delivery. */
  send(mail: Mail): Promise<void>;
}

/** With connections of its own. */
export interface OpenMailer extends Mailer {
  close(): Promise<void>;
}
