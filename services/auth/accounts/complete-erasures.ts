import { exponentialMs } from "../../../common/platform/concurrency/backoff.ts";
import type { AuthContext } from "../base/context.ts";
import { deleteErasure, type PendingErasure, postponeErasure, readDueErasures } from "./erasures-store.ts";

type ErasureContext = Pick<AuthContext, "database" | "clock" | "entities">;

const BATCH = 100;
/** From seconds, for a restart of the entities service, to ten minutes: what is personal should be gone soon. */
const BACKOFF = { firstMs: 5_000, longestMs: 600_000 };

/** Lets the entities service delete the entities of deleted accounts. What it doesn't do now is tried again. */
export async function completeErasures(context: ErasureContext, signal: AbortSignal): Promise<void> {
  const { database, clock } = context;
  if (context.entities === undefined) return;
  const failures: unknown[] = [];
  for (const erasure of await database.read((query) => readDueErasures(query, clock(), BATCH))) {
    if (signal.aborted) return;
    await completeErasure(context, erasure, signal).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function completeErasure(
  { database, clock, entities }: ErasureContext,
  erasure: PendingErasure,
  signal: AbortSignal,
): Promise<void> {
  const { accountUuid } = erasure;
  try {
    await entities?.eraseAccount({ accountUuid }, { signal });
  } catch (error) {
    const nextAttemptAtMs = clock() + BigInt(exponentialMs(erasure.attempts + 1, BACKOFF));
    await database.write((transaction) => postponeErasure(transaction, erasure, nextAttemptAtMs));
    throw error;
  }
  await database.write((transaction) => deleteErasure(transaction, accountUuid));
}
