import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Mail, Mailer } from "../base/mailer.ts";

/** A mailer that keeps the mails for the test. */
export class MailOutbox implements Mailer {
  readonly mails: Mail[] = [];
  /** Whether sending fails. */
  broken = false;

  async send(mail: Mail): Promise<void> {
    if (this.broken) throw new ServiceError("unavailable", "the mail could not be sent, try again later");
    this.mails.push(mail);
  }

  /** Returns the code in the last mail. */
  lastCode(): string {
    return codeIn(this.mails.at(-1)?.text ?? "");
  }
}

/** Returns the one-time code in the text of a mail. */
export function codeIn(text: string): string {
  const [code] = /\b[B-Z]{4}-[B-Z]{4}\b/.exec(text) ?? [];
  if (code === undefined) throw new Error(`there is no code in: ${text}`);
  return code;
}
