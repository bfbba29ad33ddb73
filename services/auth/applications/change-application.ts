import type { Transaction } from "kysely";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import type { SaleObservation } from "../memberships/read-sale.ts";
import { lockSale, requireNotWithdrawn, storeOpening } from "../memberships/sale-access-store.ts";
import { type Client, clientNotFound } from "./application.ts";
import { admitsOpening } from "./application-readiness.ts";
import { readClientsOf, updateClient } from "./applications-store.ts";
import { checkOpeningIsOver } from "./check-opening-is-over.ts";

export interface ClientChange {
  /** The client as it was read before the transaction, which names its sale. */
  readonly storedClient: Client;
  /** The state of the sale, observed before the transaction begins. */
  readonly observation: SaleObservation;
  /** Returns the changed client, or the same object if nothing changes. `changeClient` sets its version. */
  decide(transaction: Transaction<AuthSchema>, client: Client): Promise<Client>;
  /** Writes further rows after the change was stored. */
  stored(transaction: Transaction<AuthSchema>, before: Client, after: Client): Promise<void>;
}

/**
 * Changes a client in one transaction that has locked its sale; no other code changes clients. Once an opening of the sale
 * was admitted, a change that leaves the sale without a ready client is refused, unless `observation` shows that the sale
 * didn't open. It is made before the lock, so it proves nothing about an opening that was admitted in between.
 *
 * @throws ServiceError `not_found`, `failed_precondition`, `unavailable`, and whatever `decide` throws.
 */
export async function changeClient(
  database: AuthDatabase,
  { storedClient, observation, decide, stored }: ClientChange,
): Promise<Client> {
  return database.writeExclusive(storedClient.saleUuid, async (transaction) => {
    const openingAtMs = await lockSale(transaction, database.dialect, storedClient.saleUuid);
    await requireNotWithdrawn(transaction, storedClient.saleUuid);
    const clients = await readClientsOf(transaction, storedClient.saleUuid);
    const before = clients.find(({ uuid }) => uuid === storedClient.uuid);
    if (before === undefined) throw clientNotFound(storedClient.uuid);
    const decided = await decide(transaction, before);
    if (decided === before) return before;
    const after = { ...decided, saleName: observation.saleName ?? before.saleName, version: before.version + 1n };
    if (isWeaker(clients, after) && mayBeOpen(openingAtMs, observation)) {
      checkOpeningIsOver(openingAtMs ?? 0n, observation);
      await storeOpening(transaction, storedClient.saleUuid, undefined);
    }
    await updateClient(transaction, after);
    await stored(transaction, before, after);
    return after;
  });
}

/** Whether a sale may be open. A sale that was opened without auth has no admitted opening. */
function mayBeOpen(openingAtMs: bigint | undefined, { status }: SaleObservation): boolean {
  return openingAtMs !== undefined || status === "open" || status === "settled";
}

function isWeaker(clients: readonly Client[], changed: Client): boolean {
  const after = clients.map((client) => (client.uuid === changed.uuid ? changed : client));
  return admitsOpening(clients) && !admitsOpening(after);
}
