import { Buffer } from "node:buffer";
import type { ListedCommitment } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { utcTime } from "../encoding/utc-time.ts";
import { csvRecord } from "./csv-record.ts";

/** The header record. `amount` is in the smallest units of `token`; `active` says whether the commitment counts now. */
export const COMMITMENT_CSV_HEADER = csvRecord([
  "entity_id",
  "wallet",
  "token",
  "commitment_id",
  "created_at",
  "price_ticks",
  "lockup",
  "amount",
  "refunded",
  "active",
  "extra_data",
]);

const NO_AMOUNT = { wallet: "", token: "", amount: "" };

/** Yields the records of one commitment: one for each wallet and token, and one if it has no amounts. */
export function* commitmentCsv({ record, active }: ListedCommitment): Generator<string> {
  if (record === undefined) throw new TypeError("the answer has a commitment without its record");
  const [entityId, commitmentId, extraData] = [record.entityId, record.commitmentId, record.extraData].map(hex);
  const { amounts, priceTicks, lockup, refunded } = record;
  // The proto limits it to the year 9999, which a JavaScript date holds exactly.
  const createdAt = utcTime(new Date(Number(record.createdAtSeconds) * 1_000));
  for (const { wallet, token, amount } of amounts.length === 0 ? [NO_AMOUNT] : amounts) {
    const fields = [
      entityId,
      wallet,
      token,
      commitmentId,
      createdAt,
      priceTicks,
      lockup,
      amount,
      refunded,
      active,
      extraData,
    ];
    yield csvRecord(fields.map(String));
  }
}

function hex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}
