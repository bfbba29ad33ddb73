import { CHAIN_FAMILIES } from "../../../common/chains/base/chain-family.ts";
import { permitFormat } from "../../../common/chains/permit-encoding.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { countText } from "../../../common/sale/words/number-text.ts";
import { amountEntry } from "../../../common/sale/words/sale-units.ts";
import type { CountPermitsResponse, PermitRecord } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { alignColumns } from "../output/align-columns.ts";
import type { Paint } from "../output/paint.ts";
import { timeText } from "../output/time-text.ts";

/** The values that stand for no bound in a permit of any family of chains. */
const NO_BOUND: ReadonlySet<bigint> = new Set(CHAIN_FAMILIES.map((family) => permitFormat(family).maxAmount));

/** A table of permits, with their amounts in whole payment tokens. @param decimals of the payment tokens */
export function permitTable(permits: readonly PermitRecord[], decimals: number, paint: Paint): string {
  const rows = permits.map((permit) => [
    timeText(permit.issuedAt),
    timeText(permit.expiresAt),
    `0x${hexOfBytes(permit.saleSpecificEntityId)}`,
    permit.wallet,
    amountEntry({ decimals }, BigInt(permit.minAmount)),
    NO_BOUND.has(BigInt(permit.maxAmount)) ? "-" : amountEntry({ decimals }, BigInt(permit.maxAmount)),
    permit.clientUuid,
  ]);
  const header = ["ISSUED", "EXPIRES", "ENTITY", "WALLET", "AT LEAST", "AT MOST", "APPLICATION"];
  return alignColumns([header.map((name) => paint("bold", name)), ...rows]);
}

/** The numbers of permits: in all, and in each hour that has some. */
export function permitCounts({ permits, unexpired, entities, wallets, hours }: CountPermitsResponse): string {
  return alignColumns([
    ["Issued", countText(permits)],
    ["Valid now", countText(unexpired)],
    ["Entities", countText(entities)],
    ["Wallets", countText(wallets)],
    ...hours.map(({ hour, permits: count }) => [timeText(hour), countText(count)]),
  ]);
}

/** Says how many permits stay valid after a change, which withdraws none. @param permits that haven't expired */
export function unexpiredText(permits: bigint): string {
  if (permits === 0n) return "no permit is valid";
  const subject = permits === 1n ? "1 permit stays" : `${countText(permits)} permits stay`;
  return `${subject} valid, for ten minutes at most`;
}
