import type { Logger } from "../../../common/platform/log/log.ts";
import type { MailContent, Mailer } from "../base/mailer.ts";

/**
 * Sends a notice about a committed change to each recipient. A mail that can't be sent is logged and is no error. Handlers
 * don't wait for it.
 *
 * @param recipients addresses normalised by `parseEmailAddress`.
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
