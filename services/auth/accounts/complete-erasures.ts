import { exponentialMs } from "../../../common/platform/concurrency/backoff.ts";
import { eachApart } from "../../../common/platform/concurrency/each-apart.ts";
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
  const due = await database.read((query) => readDueErasures(query, clock(), BATCH));
  await eachApart(due, (erasure) => completeErasure(context, erasure, signal), signal);
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
