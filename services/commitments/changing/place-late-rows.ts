import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import type { CommitmentsStore } from "./commitments-store.ts";
import { replaceHistory, upsertHistory } from "./history.ts";
import { figuresOf, lacksLateRows, readOwnTimeHistory } from "./own-time-history.ts";

export interface PlaceOptions {
  /** Stops it soon. */
  readonly signal: AbortSignal;
  /** Called with each sale whose history was mended. */
  readonly onPlaced: (saleUuid: string) => void;
  /** Called with each sale that failed. The others are done all the same; the next run tries it again. */
  readonly onFailure: (saleUuid: string, error: unknown) => void;
}

/**
 * Puts commitments that came long after they were made at their own time in the history of their sale. What is recorded before the
 * hour of the earliest stays; from it on, each commitment counts from its own time on, with its amounts of now. It reads without a lock, and
 * applies go on meanwhile.
 */
export async function placeLateRows(store: CommitmentsStore, options: PlaceOptions): Promise<void> {
  const { signal, onPlaced, onFailure } = options;
  for (const saleUuid of await salesWithLateRows(store.database)) {
    if (signal.aborted) return;
    try {
      if (await placeRowsOf(store, saleUuid, signal)) onPlaced(saleUuid);
    } catch (error) {
      if (!signal.aborted) onFailure(saleUuid, error);
    }
  }
}

async function salesWithLateRows(database: CommitmentsDatabase): Promise<readonly string[]> {
  const rows = await database.read((connection) =>
    connection.selectFrom("sale_state").select("sale").where("late_from_s", "is not", null).execute(),
  );
  return rows.map(({ sale }) => uuidFromBytes(sale));
}

/** @returns whether the history was mended */
async function placeRowsOf(
  { database, changes }: CommitmentsStore,
  saleUuid: string,
  signal: AbortSignal,
): Promise<boolean> {
  const history = await readOwnTimeHistory(database, saleUuid, signal);
  if (history === undefined) return false;
  return changes.run<boolean>(saleUuid, async ({ sale, state, nodes, nowMillis, writes }) => {
    if (!lacksLateRows(state)) return { unchanged: false };
    const figures = await figuresOf(nodes, { sale, state });
    await writes.add(replaceHistory(database.dialect, saleUuid, history));
    await writes.add([upsertHistory(database, { saleUuid, nowMillis, ...figures })]);
    const { lateRows, ...placed } = state;
    // Others may have come since the history was read.
    return { state: lateRows.revision > history.revision ? state : placed, result: () => true };
  });
}
