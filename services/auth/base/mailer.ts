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
