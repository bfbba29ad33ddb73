import type { Logger } from "../../shared/log/log.ts";
import type { MailContent, Mailer } from "./mailer.ts";

/**
 * Tells people what was done and committed, as well as it can be done: where a mail can't be sent, that is logged and no
 * error. It lasts as long as the mailer takes; calls don't wait for it.
 *
 * @param recipients addresses, as `parseEmailAddress` returns them.
 */
export async function notify(
  { mailer, logger }: { readonly mailer: Mailer; readonly logger: Logger },
  recipients: readonly string[],
  content: MailContent,
): Promise<void> {
  const sent = await Promise.allSettled(recipients.map((to) => mailer.send({ ...content, to })));
  const failed = sent.filter(({ status }) => status === "rejected").length;
  if (failed > 0) logger.warn({ failed, recipients: recipients.length }, "a notice could not be sent");
}
