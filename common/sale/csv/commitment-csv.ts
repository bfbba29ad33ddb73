import type { ListedCommitment } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { hexOfBytes } from "../../platform/encoding/hex.ts";
import { utcTime } from "../../platform/encoding/utc-time.ts";
import { amountLines } from "./amount-lines.ts";
import { csvRecord } from "./csv-record.ts";

/**
 * The header record. Amounts are in the smallest units of `token`; `active` says whether the commitment counts now. What is
 * accepted and was paid back is empty where the sale's contract doesn't say it, or not yet.
 */
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
  "accepted",
  "paid_back",
]);

/**
 * Yields the records of one commitment: one for each wallet and token, and one if it has no amounts.
 *
 * @param saysAccepted whether the sale's contract says what it accepts
 */
export function* commitmentCsv({ record, active }: ListedCommitment, saysAccepted: boolean): Generator<string> {
  if (record === undefined) throw new TypeError("the answer has a commitment without its record");
  const [entityId, commitmentId, extraData] = [record.entityId, record.commitmentId, record.extraData].map(hex);
  const { priceTicks, lockup, refunded } = record;
  // The proto limits it to the year 9999, which a JavaScript date holds exactly.
  const createdAt = utcTime(new Date(Number(record.createdAtSeconds) * 1_000));
  for (const { wallet, token, amount, accepted, paidBack } of amountLines(record, saysAccepted)) {
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
      accepted,
      paidBack,
    ];
    yield csvRecord(fields.map(String));
  }
}

function hex(bytes: Uint8Array): string {
  return `0x${hexOfBytes(bytes)}`;
}
