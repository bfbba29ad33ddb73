import {
  type ReadBook,
  readSettlementBook,
  type UnreadBook,
} from "../../../common/internal-api/read-settlement-book.ts";
import type { CliContext } from "../base/cli-context.ts";
import { CommandFailure } from "../base/cli-error.ts";
import { RowProgress } from "../output/row-progress.ts";
import { notSettleable } from "./not-settleable.ts";

/**
 * Reads a sale and its commitments at one revision, and shows how far it is.
 *
 * @throws CommandFailure where it can't be settled yet, or changes all the time; what the calls throw
 */
export async function readBook(saleUuid: string, context: CliContext): Promise<ReadBook> {
  let progress: RowProgress | undefined;
  const onRead = (read: bigint, all: bigint) => {
    progress ??= new RowProgress("read", all, context.errors);
    return progress.show(read);
  };
  try {
    const read = await readSettlementBook(saleUuid, context, { signal: context.signal, onRead });
    if ("reason" in read) throw failureOf(read);
    return read;
  } finally {
    await progress?.end();
  }
}

function failureOf(unread: UnreadBook): CommandFailure {
  if (unread.reason === "obstacles") return notSettleable(unread.sale, unread.obstacles);
  return new CommandFailure("the sale changed while its figures were read: run the command again");
}
