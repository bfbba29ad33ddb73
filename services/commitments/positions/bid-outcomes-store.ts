import { CompiledQuery } from "kysely";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { tickWidth } from "../../../common/sale/definition/tick-width.ts";
import { activeClasses } from "../../../common/sale/figures/counting-class.ts";
import {
  type ClassedRecord,
  clearingMatters,
  isUndersubscribed,
  type PositionEntry,
  positionEntry,
} from "../../../common/sale/figures/position.ts";
import { demandFrom } from "../../../common/sale/figures/tick-node.ts";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { bigintOf, tickOfBytes } from "../base/encoding.ts";
import { tickNodeOf } from "../base/loaded-nodes.ts";
import { readWholeRows, requireWalletRows } from "../base/read-sale.ts";
import { pathTo, selectNodes } from "../base/sale-nodes.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase, CommitmentTable } from "../base/schema.ts";

/** Commitments of a wallet that count for its outcomes: as many as a page of its position has. */
const MAX_BIDS = 100;

type Bid = Pick<CommitmentRecord, "commitmentId" | "priceTicks">;

type BidRow = Pick<CommitmentTable, "commitment_id" | "price_tick" | "standing"> & { readonly wallet: string };

export interface BidOutcomesRead extends SaleWithState {
  /** The first commitments of each wallet that has any, by commitment ID ascending. */
  readonly entries: ReadonlyMap<string, readonly PositionEntry<Bid>[]>;
  /** Whether nothing clears yet, as in `PositionRead`. */
  readonly undersubscribed: boolean;
}

/**
 * Reads what the clearing price means for the commitments of some wallets, at one revision.
 *
 * @param wallets in canonical form
 * @throws ServiceError as `readPosition`
 */
export function readBidOutcomes(
  database: CommitmentsDatabase,
  saleUuid: string,
  wallets: readonly string[],
): Promise<BidOutcomesRead> {
  const { dialect } = database;
  return database.snapshot(async (transaction) => {
    const { sale, state } = await readWholeRows(transaction, saleUuid);
    requireWalletRows(state);
    const { definition } = sale;
    const { rows } = await transaction.executeQuery(selectBids(dialect, saleUuid, wallets));
    const records = rows.map((row) => [row.wallet, classedBid(row)] as const);
    const active = activeClasses(state, definition.cancelledKeepsAmounts);
    const tick = state.clearingTick;
    const bids = records.map(([, bid]) => bid);
    const isDemandNeeded = tick !== undefined && clearingMatters(bids, active, tick, definition.pricing);
    const demand = isDemandNeeded
      ? await readDemand(transaction, dialect, { saleUuid, definition, tick, classes: active })
      : 0n;
    const facts = { definition, active, ...(tick !== undefined && { clearing: { tick, demand } }) };
    const byWallet = Map.groupBy(records, ([wallet]) => wallet);
    const entries = new Map(
      [...byWallet].map(([wallet, own]) => [wallet, own.map(([, bid]) => positionEntry(bid, facts))]),
    );
    return { sale, state, entries, undersubscribed: isDemandNeeded && isUndersubscribed(facts) };
  });
}

interface DemandQuery {
  readonly saleUuid: string;
  readonly definition: SaleDefinition;
  readonly tick: bigint;
  readonly classes: ReturnType<typeof activeClasses>;
}

async function readDemand(
  transaction: Tx,
  dialect: SqlDialect,
  { saleUuid, definition, tick, classes }: DemandQuery,
): Promise<bigint> {
  const width = tickWidth(definition);
  const path = { ...pathTo(width, tick), classes, keys: [] };
  const { rows } = await transaction.executeQuery(selectNodes(dialect, saleUuid, path));
  return demandFrom(width, tick, rows.map(tickNodeOf), definition.priceTick.denominator);
}

/**
 * Builds the statement that reads the first commitments of each wallet. Rows by wallet that a process of an older version has left
 * behind aren't among them: their amounts don't name it.
 */
function selectBids(dialect: SqlDialect, saleUuid: string, wallets: readonly string[]): CompiledQuery<BidRow> {
  const bound = new BoundValues(dialect);
  const columns = "commitment_wallet.wallet, commitment_wallet.commitment_id, price_tick, standing";
  const place =
    "row_number() over (partition by commitment_wallet.wallet order by commitment_wallet.commitment_id) as place";
  const tables = "commitment_wallet inner join commitment using (sale, commitment_id)";
  const ofSale = `commitment_wallet.sale = ${bound.one(bytesOfHex(saleUuid))}`;
  const ofWallets = `wallet in ${bound.list([...new Set(wallets)])} and instr(amounts, wallet) > 0`;
  const numbered = `select ${columns}, ${place} from ${tables} where ${ofSale} and ${ofWallets}`;
  const text = `select wallet, commitment_id, price_tick, standing from (${numbered}) as numbered where place <= ${MAX_BIDS} order by wallet, commitment_id`;
  return CompiledQuery.raw(text, bound.parameters);
}

function classedBid({ commitment_id, price_tick, standing }: BidRow): ClassedRecord<Bid> {
  return {
    record: { commitmentId: hexOfBytes(commitment_id), priceTicks: tickOfBytes(price_tick) },
    countingClass: bigintOf(standing),
  };
}
