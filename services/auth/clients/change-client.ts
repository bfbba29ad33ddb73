import type { Transaction } from "kysely";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import type { SaleObservation } from "../memberships/read-sale.ts";
import { lockSale, storeOpening } from "../memberships/sale-access-store.ts";
import { checkOpeningIsOver } from "./check-opening-is-over.ts";
import type { Client } from "./client.ts";
import { clientNotFound } from "./client-not-found.ts";
import { admitsOpening } from "./client-readiness.ts";
import { readClientsOf, updateClient } from "./clients-store.ts";

export interface ClientChange {
  /** The client as it was seen, which says what sale it is of. */
  readonly seen: Client;
  /** What was seen of the sale before the transaction begins. */
  readonly observation: SaleObservation;
  /** The client as it is to be, or the same object where nothing changes; its version is decided here. */
  decide(transaction: Transaction<AuthSchema>, client: Client): Promise<Client>;
  /** Writes what goes with a change that was stored. */
  stored(transaction: Transaction<AuthSchema>, before: Client, after: Client): Promise<void>;
}

/**
 * The one way in which a client changes: in one transaction that has locked its sale. A change that leaves a sale without
 * a client to be open with is refused from the moment on at which its opening was admitted; `observation` says whether that
 * opening came to nothing. As it was made before the lock, an opening that is admitted meanwhile is too young for it.
 *
 * @throws ServiceError `not_found`, `failed_precondition`, `unavailable`, and whatever `decide` throws.
 */
export async function changeClient(
  database: AuthDatabase,
  { seen, observation, decide, stored }: ClientChange,
): Promise<Client> {
  return database.writeExclusive(seen.saleUuid, async (transaction) => {
    const openingAtMs = await lockSale(transaction, database.dialect, seen.saleUuid);
    const clients = await readClientsOf(transaction, seen.saleUuid);
    const before = clients.find(({ uuid }) => uuid === seen.uuid);
    if (before === undefined) throw clientNotFound(seen.uuid);
    const decided = await decide(transaction, before);
    if (decided === before) return before;
    const after = { ...decided, saleName: observation.saleName ?? before.saleName, version: before.version + 1n };
    if (isWeaker(clients, after) && mayBeOpen(openingAtMs, observation)) {
      checkOpeningIsOver(openingAtMs ?? 0n, observation);
      await storeOpening(transaction, seen.saleUuid, undefined);
    }
    await updateClient(transaction, after);
    await stored(transaction, before, after);
    return after;
  });
}

/** A sale that was opened without the auth service's knowledge has no admitted opening. */
function mayBeOpen(openingAtMs: bigint | undefined, { status }: SaleObservation): boolean {
  return openingAtMs !== undefined || status === "open" || status === "settled";
}

function isWeaker(clients: readonly Client[], changed: Client): boolean {
  const after = clients.map((client) => (client.uuid === changed.uuid ? changed : client));
  return admitsOpening(clients) && !admitsOpening(after);
}
