import type { Logger } from "../../../common/platform/log/log.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import type { Mail, Mailbox, OpenMailer } from "../base/mailer.ts";
import { fileMailer } from "./file-mailer.ts";
import { openSmtpMailer } from "./smtp-mailer.ts";

export interface MailerOptions {
  readonly from: Mailbox;
  /** `SMTP_URL`. */
  readonly smtpUrl?: string | undefined;
  /** The folder to which every mail is written. At least one of the folder and `smtpUrl` is given. */
  readonly folder?: string | undefined;
  /** An interactive terminal that also shows the mails written to the folder. */
  readonly terminal?: { write(text: string): void } | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Opens a mailer for SMTP, for files, or for both. Closing it waits for mails that are being sent. */
export async function openMailer({ smtpUrl, folder, ...options }: MailerOptions): Promise<OpenMailer> {
  const files = folder === undefined ? undefined : fileMailer({ ...options, folder });
  const smtp = smtpUrl === undefined ? undefined : await openSmtpMailer({ ...options, url: smtpUrl });
  const underWay = new Set<Promise<void>>();
  const deliver = async (mail: Mail) => {
    await files?.send(mail);
    await smtp?.send(mail);
  };
  return {
    send(mail) {
      const sending = deliver(mail).finally(() => underWay.delete(sending));
      underWay.add(sending);
      return sending;
    },
    async close() {
      await Promise.allSettled(underWay);
      await smtp?.close();
    },
  };
}
