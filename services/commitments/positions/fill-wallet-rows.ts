import { setImmediate } from "node:timers/promises";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { ALL_FILLED, type SaleState } from "../base/domain/sale-state.ts";
import { walletsOfText } from "../base/encoding.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { insertWallets } from "../base/wallet-rows.ts";
import type { ChangingSale } from "../changing/changing-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";

export interface FillOptions {
  /** Stops it after the current batch. */
  readonly signal: AbortSignal;
  /** Called with each sale whose rows are complete now. */
  readonly onFilled: (saleUuid: string) => void;
  /** Called with each sale that failed. The others are filled in all the same; the next run tries it again. */
  readonly onFailure: (saleUuid: string, error: unknown) => void;
}

/**
 * Writes the rows by wallet of all sales that lack some: sales from before there were such rows, and those that a process of
 * an older version has changed since. It goes through a sale's commitments by ID, a batch a transaction, and continues where
 * it, or another process, has stopped; applies go on in between.
 */
export async function fillWalletRows(store: CommitmentsStore, options: FillOptions): Promise<void> {
  for (const saleUuid of await unfilledSales(store.database)) {
    try {
      await fillSale(store, saleUuid, options);
    } catch (error) {
      options.onFailure(saleUuid, error);
    }
  }
}

async function fillSale(store: CommitmentsStore, saleUuid: string, { signal, onFilled }: FillOptions): Promise<void> {
  for (let more = true; more && !signal.aborted; ) {
    more = await fillBatch(store, saleUuid);
    if (!more) onFilled(saleUuid);
    // SQLite runs in the process: without this, nothing else would until the end.
    await setImmediate();
  }
}

/** @returns whether commitments are left */
async function fillBatch({ database: { dialect }, changes }: CommitmentsStore, saleUuid: string): Promise<boolean> {
  return changes.run<boolean>(saleUuid, async (changing) => {
    if (changing.state.walletsFilledTo === ALL_FILLED) return { unchanged: false };
    const state = await fillNextWallets(dialect, changing);
    return { state, result: ({ walletsFilledTo }) => walletsFilledTo !== ALL_FILLED };
  });
}

/** Returns the sales that lack rows by wallet, or have lost track of them. */
async function unfilledSales(database: CommitmentsDatabase): Promise<readonly string[]> {
  const rows = await database.read((connection) =>
    connection
      .selectFrom("sale_state")
      .select("sale")
      .where((where) =>
        where.or([
          where("wallets_filled_to", "is", null),
          where("wallets_filled_to", "!=", bytesOfHex(ALL_FILLED)),
          where("write_token", "is", null),
          where("wallets_token", "is", null),
          where("write_token", "!=", where.ref("wallets_token")),
        ]),
      )
      .execute(),
  );
  return rows.map(({ sale }) => uuidFromBytes(sale));
}

/** The commitments whose rows by wallet are written under one lock of their sale. */
const BATCH = 500;

/** Writes the rows by wallet of the next commitments of a sale. @returns the state after that */
async function fillNextWallets(dialect: SqlDialect, changing: ChangingSale): Promise<SaleState> {
  const { sale, state, writes } = changing;
  const rows = await readNext(changing);
  const entries = rows.flatMap(({ commitment_id, amounts }) => {
    const commitmentId = hexOfBytes(commitment_id);
    return walletsOfText(amounts).map((wallet) => ({ wallet, commitmentId }));
  });
  await writes.add(insertWallets(dialect, sale.uuid, entries));
  const last = rows.length < BATCH ? undefined : rows.at(-1);
  return { ...state, walletsFilledTo: last === undefined ? ALL_FILLED : hexOfBytes(last.commitment_id) };
}

function readNext({ transaction, sale, state }: ChangingSale) {
  return transaction
    .selectFrom("commitment")
    .select(["commitment_id", "amounts"])
    .where("sale", "=", bytesOfHex(sale.uuid))
    .where("commitment_id", ">", bytesOfHex(state.walletsFilledTo))
    .orderBy("commitment_id")
    .limit(BATCH)
    .execute();
}
