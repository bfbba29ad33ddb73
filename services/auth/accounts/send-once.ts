import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AuthContext } from "../base/context.ts";
import { NOTICE_SENDING_MS } from "../base/lifetimes.ts";
import { deleteSentNotice, insertSentNotice, noticeSentAtMs } from "./sent-notices-store.ts";

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
    if ((await database.read((query) => noticeSentAtMs(query, noticeUuid))) !== undefined) return;
    await send();
    try {
      await database.write((transaction) => insertSentNotice(transaction, noticeUuid, clock()));
    } catch (error) {
      // Another process has sent it meanwhile.
      if (!database.dialect.isDuplicateKey(error)) throw error;
    }
  });
}

/**
 * Sends a notice once at most, from whichever process: the row that remembers it comes first, and is deleted if the mail isn't taken. If
 * the process ends between, the mail is lost.
 *
 * @param noticeUuid in lower case
 * @throws ServiceError `unavailable` while the mail may still be on its way, as it may fail
 */
export async function sendOnceAtMost(
  context: Pick<AuthContext, "database" | "clock">,
  noticeUuid: string,
  send: () => Promise<void>,
): Promise<void> {
  const { database, clock } = context;
  try {
    await database.write((transaction) => insertSentNotice(transaction, noticeUuid, clock()));
  } catch (error) {
    if (!database.dialect.isDuplicateKey(error)) throw error;
    const sentAtMs = await database.read((query) => noticeSentAtMs(query, noticeUuid));
    if (sentAtMs !== undefined && clock() - sentAtMs >= NOTICE_SENDING_MS) return;
    throw new ServiceError("unavailable", "the notice may be under way");
  }
  try {
    await send();
  } catch (error) {
    await database.write((transaction) => deleteSentNotice(transaction, noticeUuid));
    throw error;
  }
}
