import type { AuthContext } from "../base/context.ts";
import { insertSentNotice, isNoticeSent } from "./sent-notices-store.ts";

/**
 * Sends a notice once, unless the process ends between the mail and the row that remembers it: then a repetition sends it again,
 * which is better than never.
 *
 * @param noticeUuid in lower case
 */
export async function sendOnce(
  context: Pick<AuthContext, "database" | "clock">,
  noticeUuid: string,
  send: () => Promise<void>,
): Promise<void> {
  const { database, clock } = context;
  // Two repetitions at once would both find that it wasn't sent.
  await database.runExclusive(`notice ${noticeUuid}`, async () => {
    if (await database.read((query) => isNoticeSent(query, noticeUuid))) return;
    await send();
    try {
      await database.write((transaction) => insertSentNotice(transaction, noticeUuid, clock()));
    } catch (error) {
      // Another process has sent it meanwhile.
      if (!database.dialect.isDuplicateKey(error)) throw error;
    }
  });
}
