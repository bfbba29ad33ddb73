import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { tickWidth } from "../../../common/sale/definition/tick-width.ts";
import { decodeDefinition } from "../../../services/commitments/base/definition-codec.ts";
import { bigintOf, tickOfBytes } from "../../../services/commitments/base/encoding.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";

/** Sums by counting class and node: `class/node` → `amount/commitments`, and `/demand` where the sale counts it. */
export type TickSums = ReadonlyMap<string, string>;

/** The sums that the service keeps. */
export async function sumsStored(database: CommitmentsDatabase, saleUuid: string): Promise<TickSums> {
  const rows = await database.query
    .selectFrom("tick_node")
    .selectAll()
    .where("sale", "=", bytesOfHex(saleUuid))
    .orderBy("standing")
    .orderBy("node")
    .execute();
  return new Map(
    rows.map(({ standing, node, amount, commitments, demand }) => [
      `${standing}/${hexOfBytes(node)}`,
      `${amount}/${commitments}${demand === null ? "" : `/${demand}`}`,
    ]),
  );
}

/** The same sums added up from the rows. */
export async function sumsFromRows(database: CommitmentsDatabase, saleUuid: string): Promise<TickSums> {
  const rows = await database.query
    .selectFrom("commitment")
    .select(["standing", "price_tick", "amount", "demand"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .execute();
  const { definition } = await database.query
    .selectFrom("sale")
    .select("definition")
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirstOrThrow();
  const { pricing, priceTick, ...settings } = decodeDefinition(definition);
  const width = tickWidth(settings);
  const countsDemand = pricing.kind === "auction" && pricing.clearingRule !== undefined;
  const levels = definition.includes('"kind":"auction"') ? width + 1 : 1;
  const sums = new Map<string, { amount: bigint; commitments: bigint; demand: bigint }>();
  for (const row of rows.filter(({ standing }) => bigintOf(standing) > 0n)) {
    for (let level = 0; level < levels; level += 1) {
      const prefix = tickOfBytes(row.price_tick)
        .toString(16)
        .padStart(2 * width, "0")
        .slice(0, level * 2)
        .padEnd(2 * width, "0");
      const key = `${row.standing}/${level.toString(16).padStart(2, "0")}${prefix}`;
      const { amount, commitments, demand } = sums.get(key) ?? { amount: 0n, commitments: 0n, demand: 0n };
      const own = row.demand === null ? BigInt(row.amount) * priceTick.denominator : BigInt(row.demand);
      sums.set(key, { amount: amount + BigInt(row.amount), commitments: commitments + 1n, demand: demand + own });
    }
  }
  return new Map(
    [...sums]
      .sort()
      .map(([key, { amount, commitments, demand }]) => [
        key,
        `${amount}/${commitments}${countsDemand ? `/${demand}` : ""}`,
      ]),
  );
}
