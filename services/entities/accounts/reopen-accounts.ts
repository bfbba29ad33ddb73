import { eachApart } from "../../../common/platform/concurrency/each-apart.ts";
import type { EntitiesContext } from "../base/context.ts";
import { ACCOUNT_DELETION_MS } from "../base/lifetimes.ts";
import { readClosedAccounts, reopen } from "../entities/closed-accounts-store.ts";

/** The accounts that one call asks about; `GetAccounts` takes no more. */
const BATCH = 500;

/** Opens accounts again whose deletion was refused or failed: auth still has them. */
export async function reopenAccounts(
  { database, clock, accounts }: Pick<EntitiesContext, "database" | "clock" | "accounts">,
  signal: AbortSignal,
): Promise<void> {
  const closedUntilMs = clock() - ACCOUNT_DELETION_MS;
  const closed = await database.read((query) => readClosedAccounts(query, closedUntilMs, BATCH));
  if (closed.length === 0) return;
  const accountUuids = closed.map(({ accountUuid }) => accountUuid);
  const existing = await accounts.getAccounts({ accountUuids }, { signal });
  const uuids = new Set(existing.accounts.map(({ uuid }) => uuid));
  const kept = closed.filter(({ accountUuid }) => uuids.has(accountUuid));
  await eachApart(kept, (account) => database.write((transaction) => reopen(transaction, account)), signal);
}
