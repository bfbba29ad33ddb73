import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { upsertRows } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { bigintOf } from "../base/encoding.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase, WebhookReplayTable } from "../base/schema.ts";
import type { ReplayedInHour } from "./replay-limit.ts";

const REPLAY_TARGET = tableTarget<WebhookReplayTable>("webhook_replay", {
  sale: "key",
  since_ms: "value",
  events: "value",
});

/** Reads what was last counted of a sale's replays. Its row must be locked. */
export async function readReplayed(transaction: Tx, saleUuid: string): Promise<ReplayedInHour | undefined> {
  const row = await transaction
    .selectFrom("webhook_replay")
    .select(["since_ms", "events"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  return row && { sinceMillis: bigintOf(row.since_ms), events: Number(row.events) };
}

export async function storeReplayed(
  { dialect }: CommitmentsDatabase,
  transaction: Tx,
  saleUuid: string,
  { sinceMillis, events }: ReplayedInHour,
): Promise<void> {
  const row = { sale: bytesOfHex(saleUuid), since_ms: sinceMillis, events: BigInt(events) };
  await upsertRows(transaction, dialect, REPLAY_TARGET, [row]);
}
