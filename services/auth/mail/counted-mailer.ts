import type { AuthMetrics } from "../base/auth-metrics.ts";
import type { Mailer } from "./mailer.ts";

/** Counts the mails that were sent, and those that failed. */
export function countedMailer(mailer: Mailer, { mails }: Pick<AuthMetrics, "mails">): Mailer {
  return {
    send: async (mail) => {
      try {
        await mailer.send(mail);
        mails.inc({ result: "sent" });
      } catch (error) {
        mails.inc({ result: "failed" });
        throw error;
      }
    },
  };
}
