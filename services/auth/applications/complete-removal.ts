import type { HandlerContext } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { eachApart } from "../../../common/platform/concurrency/each-apart.ts";
import type { AuthContext } from "../base/context.ts";
import { ADMISSION_LASTS_MS } from "../base/lifetimes.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import { deleteMembers } from "../memberships/members-store.ts";
import { observeSale, type SaleObservation } from "../memberships/read-sale.ts";
import { endRemoval, lockSale, pendingRemovalOf, pendingRemovals } from "../memberships/sale-access-store.ts";
import { deleteClient, raiseTokenGeneration, readClientsOf, updateClient } from "./applications-store.ts";
import { deleteUnusedLogo } from "./logos-store.ts";

/** Removals that are completed in one run. */
const BATCH = 100;

type CallContext = Pick<HandlerContext, "signal">;

/** Completes all removals that are pending, as far as the commitments service answers. */
export async function completeRemovals(context: AuthContext, signal: AbortSignal): Promise<void> {
  const pending = await context.database.read((query) => pendingRemovals(query, BATCH));
  await eachApart(pending, (saleUuid) => completeRemoval(context, saleUuid, { signal }), signal);
}

/**
 * Completes an admitted removal, once the commitments service says that it has happened: the clients of a
 * withdrawn sale are disabled and their tokens revoked; those of a deleted draft are deleted, with its members. It may be
 * repeated, and does nothing for a sale without a pending removal.
 */
export async function completeRemoval(context: AuthContext, saleUuid: string, call: CallContext): Promise<void> {
  const { database, clock } = context;
  if ((await database.read((query) => pendingRemovalOf(query, saleUuid))) === undefined) return;
  const observation = await observeSale(context, saleUuid, call);
  await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSale(transaction, database.dialect, saleUuid);
    const admittedAtMs = await pendingRemovalOf(transaction, saleUuid);
    if (admittedAtMs === undefined || !isDecided(admittedAtMs, observation)) return;
    if (observation.status === "withdrawn") await disableClients(transaction, saleUuid);
    if (observation.status === "absent") await deleteClientsAndMembers(database, transaction, saleUuid);
    await endRemoval(transaction, saleUuid, observation.status === "withdrawn" ? clock() : undefined);
  });
}

/** Whether it is known if a removal has happened. */
function isDecided(admittedAtMs: bigint, { askedAtMs, status }: SaleObservation): boolean {
  if (status === undefined) return false;
  return status === "withdrawn" || status === "absent" || askedAtMs - admittedAtMs >= ADMISSION_LASTS_MS;
}

async function disableClients(transaction: Transaction<AuthSchema>, saleUuid: string): Promise<void> {
  for (const client of await readClientsOf(transaction, saleUuid)) {
    if (client.status === "active") {
      await updateClient(transaction, { ...client, status: "disabled", version: client.version + 1n });
    }
    await raiseTokenGeneration(transaction, client.uuid);
  }
}

async function deleteClientsAndMembers(
  { dialect }: AuthDatabase,
  transaction: Transaction<AuthSchema>,
  saleUuid: string,
): Promise<void> {
  for (const { uuid, squareLogo, wideLogo } of await readClientsOf(transaction, saleUuid)) {
    await deleteClient(transaction, uuid);
    if (squareLogo !== undefined) await deleteUnusedLogo(transaction, dialect, squareLogo);
    if (wideLogo !== undefined) await deleteUnusedLogo(transaction, dialect, wideLogo);
  }
  await deleteMembers(transaction, saleUuid);
}
