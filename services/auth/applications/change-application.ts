import type { HandlerContext } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Peer } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import { founderEvent } from "../audit/founder-event.ts";
import type { AuthContext } from "../base/context.ts";
import { ADMISSION_LASTS_MS } from "../base/lifetimes.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import { type Member, readMembers } from "../memberships/members-store.ts";
import { notifyOwners } from "../memberships/owner-notice.ts";
import { observeSale, type SaleObservation } from "../memberships/read-sale.ts";
import { requireRecentRole, requireRole } from "../memberships/require-role.ts";
import { lockSale, requireNotWithdrawn, storeOpening } from "../memberships/sale-access-store.ts";
import { type Client, clientNotFound } from "./application.ts";
import { admitsOpening } from "./application-readiness.ts";
import { raiseTokenGeneration, readClientsOf, updateClient } from "./applications-store.ts";
import { requestedClient } from "./requested-application.ts";

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

/**
 * Checks that a sale may lose its last ready client: it isn't open, and no admitted opening is still under way.
 *
 * @param openingAtMs when an opening was last admitted
 * @throws ServiceError `failed_precondition`, or `unavailable` where the state of the sale isn't known
 */
export function checkOpeningIsOver(openingAtMs: bigint, { askedAtMs, status }: SaleObservation): void {
  if (status === undefined) throw new ServiceError("unavailable", "the state of the sale isn't known now; retry");
  if (status === "open" || status === "settled") {
    throw new ServiceError("failed_precondition", `the sale is ${status} and needs this client`);
  }
  if (askedAtMs - openingAtMs < ADMISSION_LASTS_MS) {
    throw new ServiceError(
      "failed_precondition",
      "the sale is being opened with this client; try again in two minutes",
    );
  }
}

const EVENTS = { active: "client.enabled", disabled: "client.disabled" } as const;

/**
 * Enables or disables the client of a request. Disabling it revokes its tokens, needs a recent sign-in, and is mailed to the
 * owners.
 *
 * @throws ServiceError as `requestedClient` and `changeClient` do
 */
export async function changeClientStatus(
  context: AuthContext,
  request: { readonly clientUuid: string; readonly peer?: Peer | undefined },
  call: HandlerContext,
  status: Client["status"],
): Promise<Client> {
  const { database, clock } = context;
  const { client: storedClient, actor } = await requestedClient(context, request, call, "editor");
  let members: readonly Member[] = [];
  const changed = await changeClient(database, {
    storedClient,
    observation: await observeSale(context, storedClient.saleUuid, call),
    async decide(transaction, client) {
      if (status === "active") await requireRole(transaction, actor, client.saleUuid, "editor");
      else await requireRecentRole(transaction, actor, client.saleUuid, "editor", clock());
      return client.status === status ? client : { ...client, status };
    },
    async stored(transaction, _, { uuid: clientUuid, saleUuid }) {
      if (status === "disabled") await raiseTokenGeneration(transaction, clientUuid);
      const event = { event: EVENTS[status], clientUuid, saleUuid };
      await recordEvent(transaction, founderEvent({ actor, peer: request.peer }, event), clock());
      if (status === "disabled") members = await readMembers(transaction, saleUuid);
    },
  });
  const { uuid: clientUuid, saleUuid, saleName, definition } = changed;
  const of = { saleUuid, saleName, clientUuid, clientName: definition.name };
  notifyOwners(context, members, actor, { event: "client_disabled", ...of });
  return changed;
}
