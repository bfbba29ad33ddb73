import type { ListedCommitment } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { ClearingRule, type SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { hexOfBytes } from "../../platform/encoding/hex.ts";
import { utcTime } from "../../platform/encoding/utc-time.ts";
import { amountLines } from "./amount-lines.ts";
import type { CsvFormat } from "./csv-format.ts";
import { csvRecord } from "./csv-record.ts";

const COLUMNS: readonly string[] = [
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
];

/**
 * Returns the format for programs, exact in every field. Amounts are in the smallest units of `token`; `active` says whether the
 * commitment counts now. What is accepted and was paid back is empty where the sale's contract doesn't say it, or not yet. A column
 * `demand`, empty where that is the amount, is there only in a sale whose bids may have one.
 *
 * @param definition undefined from a service of an older version
 */
export function exactFormat(definition: Pick<SaleDefinition, "pricing"> | undefined): CsvFormat {
  const { pricing } = definition ?? {};
  const isAuction = pricing?.case === "auction";
  const hasDemand = isAuction && pricing.value.clearingRule === ClearingRule.LOWEST_NOT_OUTBID;
  return {
    header: csvRecord(hasDemand ? [...COLUMNS, "demand"] : COLUMNS),
    *records(listed, saysAccepted) {
      const demand = hasDemand ? [listed.record?.demand ?? ""] : [];
      for (const fields of fieldsOf(listed, saysAccepted)) yield csvRecord([...fields, ...demand]);
    },
  };
}

/** Yields the fields of one commitment: once for each wallet and token, and once if it has no amounts. */
function* fieldsOf({ record, active }: ListedCommitment, saysAccepted: boolean): Generator<readonly string[]> {
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
    yield fields.map(String);
  }
}

function hex(bytes: Uint8Array): string {
  return `0x${hexOfBytes(bytes)}`;
}
