import type { AuthMetrics } from "../base/auth-metrics.ts";
import type { Mailer } from "../base/mailer.ts";

/** Counts the mails under way, those that were sent, and those that failed. */
export function countedMailer(
  mailer: Mailer,
  { mails, mailsWaiting }: Pick<AuthMetrics, "mails" | "mailsWaiting">,
): Mailer {
  return {
    send: async (mail) => {
      mailsWaiting.inc();
      try {
        await mailer.send(mail);
        mails.inc({ result: "sent" });
      } catch (error) {
        mails.inc({ result: "failed" });
        throw error;
      } finally {
        mailsWaiting.dec();
      }
    },
  };
}
