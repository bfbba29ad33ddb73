import { bytesOfHex, hexOfBytes } from "../../shared/hex.ts";
import type { CommitmentRecord } from "../domain/commitment.ts";
import type { SaleDefinition } from "../domain/sale.ts";
import { compareLatest, LATEST_LIMIT, type SaleSnapshot } from "../domain/sale-snapshot.ts";
import type { SaleState } from "../domain/sale-state.ts";
import { activeStandings } from "../domain/standing.ts";
import { readLatest } from "./commitment-rows.ts";
import { amountsOfText, textOfAmounts } from "./encoding.ts";
import type { Tx } from "./sale-rows.ts";
import { sumOfActive } from "./tick-nodes.ts";

/** Of a frozen body in one row. */
const PIECE_CHARACTERS = 1_000_000;

/** What the rows show now. While a change set is open this isn't what readers may see: see `readFrozen`. */
export async function readRowsSnapshot(
  transaction: Tx,
  saleUuid: string,
  definition: SaleDefinition,
  state: SaleState,
): Promise<SaleSnapshot> {
  const latest: CommitmentRecord[] = [];
  for (const standing of activeStandings(state, definition.cancelledKeepsAmounts)) {
    latest.push(...(await readLatest(transaction, saleUuid, standing, LATEST_LIMIT)));
  }
  const { amount, commitments } = await sumOfActive(transaction, saleUuid, definition, state);
  return {
    latest: latest.sort(compareLatest).slice(0, LATEST_LIMIT),
    total: amount,
    count: commitments,
    ...(state.clearingTick === undefined ? {} : { clearingTick: state.clearingTick }),
  };
}

/** Keeps what readers see now for as long as a change set is open. */
export async function freeze(transaction: Tx, saleUuid: string, snapshot: SaleSnapshot): Promise<void> {
  const body = encodeSnapshot(snapshot);
  for (let from = 0, piece = 0n; from < body.length; from += PIECE_CHARACTERS, piece += 1n) {
    await transaction
      .insertInto("frozen_body")
      .values({ sale: bytesOfHex(saleUuid), piece, body: body.slice(from, from + PIECE_CHARACTERS) })
      .execute();
  }
}

export async function readFrozen(transaction: Tx, saleUuid: string): Promise<SaleSnapshot> {
  const pieces = await transaction
    .selectFrom("frozen_body")
    .select("body")
    .where("sale", "=", bytesOfHex(saleUuid))
    .orderBy("piece")
    .execute();
  return decodeSnapshot(pieces.map(({ body }) => body).join(""));
}

export async function unfreeze(transaction: Tx, saleUuid: string): Promise<void> {
  await transaction.deleteFrom("frozen_body").where("sale", "=", bytesOfHex(saleUuid)).execute();
}

interface StoredRecord {
  readonly id: string;
  readonly entity: string;
  readonly created: string;
  readonly ticks: string;
  readonly lockup: boolean;
  readonly refunded: boolean;
  readonly amounts: string;
  readonly extra: string;
}

interface StoredSnapshot {
  readonly total: string;
  readonly count: string;
  readonly clearingTick?: string;
  readonly latest: readonly StoredRecord[];
}

function encodeSnapshot({ latest, total, count, clearingTick }: SaleSnapshot): string {
  const stored: StoredSnapshot = {
    total: total.toString(),
    count: count.toString(),
    ...(clearingTick === undefined ? {} : { clearingTick: clearingTick.toString() }),
    latest: latest.map((record) => ({
      id: record.commitmentId,
      entity: record.entityId,
      created: record.createdAtSeconds.toString(),
      ticks: record.priceTicks.toString(),
      lockup: record.lockup,
      refunded: record.refunded,
      amounts: textOfAmounts(record.amounts),
      extra: hexOfBytes(record.extraData),
    })),
  };
  return JSON.stringify(stored);
}

function decodeSnapshot(text: string): SaleSnapshot {
  const { total, count, clearingTick, latest }: StoredSnapshot = JSON.parse(text);
  return {
    total: BigInt(total),
    count: BigInt(count),
    ...(clearingTick === undefined ? {} : { clearingTick: BigInt(clearingTick) }),
    latest: latest.map((record) => ({
      commitmentId: record.id,
      entityId: record.entity,
      createdAtSeconds: BigInt(record.created),
      priceTicks: BigInt(record.ticks),
      lockup: record.lockup,
      refunded: record.refunded,
      amounts: amountsOfText(record.amounts),
      extraData: bytesOfHex(record.extra),
    })),
  };
}
