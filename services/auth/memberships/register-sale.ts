import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely, Transaction } from "kysely";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { lockAccount } from "../accounts/accounts-store.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import { isFounder } from "./founders-store.ts";
import { readMembers, storeMember } from "./members-store.ts";
import type { MemberRole } from "./membership.ts";
import { readSale } from "./read-sale.ts";
import { insertSaleAccess, isSaleKnown, lockSale, pendingRemovalOf } from "./sale-access-store.ts";

export function registerSale(context: AuthContext): ServiceImpl<typeof MembershipService>["registerSale"] {
  const { database, clock, onlyFounders } = context;
  return async (request, call) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const existing = await readSale(context, saleUuid, call);
    await storeRegistration(database, {
      saleUuid,
      owner: request.ownerAccountUuid.toLowerCase(),
      existingOwner: existing?.ownerAccountUuid,
      onlyFounders,
      nowMs: clock(),
    });
    return {};
  };
}

/** Checks what `registerSale` checks. */
export function checkRegistration(context: AuthContext): ServiceImpl<typeof MembershipService>["checkRegistration"] {
  const { database, onlyFounders } = context;
  return async (request, call) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const owner = request.ownerAccountUuid.toLowerCase();
    const existingOwner = (await readSale(context, saleUuid, call))?.ownerAccountUuid;
    await database.read((query) => requireRegistrable(query, { saleUuid, owner, existingOwner, onlyFounders }));
    return {};
  };
}

interface SaleRegistration {
  readonly saleUuid: string;
  /** The owner's account UUID; empty for a sale that an operator creates without an owner. */
  readonly owner: string;
  /** The owner that the commitments service knows, empty for none; undefined where it doesn't know the sale. */
  readonly existingOwner: string | undefined;
  readonly onlyFounders: boolean;
  readonly nowMs: bigint;
}

/**
 * Registers a sale with its owner, as `decideRegistration` says.
 *
 * @throws ServiceError `already_exists`; `permission_denied` for an owner who isn't a founder; `not_found` for an unknown
 *   owner
 */
async function storeRegistration(database: AuthDatabase, registration: SaleRegistration): Promise<void> {
  const register = () =>
    database.writeExclusive(registration.saleUuid, (transaction) => write(database, transaction, registration));
  await register().catch((error) => {
    if (!database.dialect.isDuplicateKey(error)) throw error;
    // Another call has registered the sale at the same time: the second attempt finds its row.
    return register();
  });
}

async function write(
  { dialect }: AuthDatabase,
  transaction: Transaction<AuthSchema>,
  registration: SaleRegistration,
): Promise<void> {
  const { saleUuid, owner, nowMs } = registration;
  const isKnown = await isSaleKnown(transaction, saleUuid);
  if (isKnown) {
    await lockSale(transaction, dialect, saleUuid);
    await requireNoRemoval(transaction, saleUuid);
  }
  const addsOwner = await requireRegistrable(transaction, registration);
  if (isKnown && !addsOwner) return;
  if (!isKnown) await insertSaleAccess(transaction, saleUuid);
  if (addsOwner) {
    if (!(await lockAccount(transaction, dialect, owner))) {
      throw new ServiceError("not_found", `there is no account ${owner}`);
    }
    await storeMember(transaction, dialect, saleUuid, { accountUuid: owner, role: "owner" });
  }
  const accountUuid = owner === "" ? undefined : owner;
  await recordEvent(transaction, { event: "sale.registered", saleUuid, accountUuid }, nowMs);
}

/** Refuses a sale whose removal is pending: when it is completed, members and clients go. */
async function requireNoRemoval(transaction: Transaction<AuthSchema>, saleUuid: string): Promise<void> {
  if ((await pendingRemovalOf(transaction, saleUuid)) === undefined) return;
  throw new ServiceError("unavailable", "a sale with this UUID is being removed; retry");
}

/** @returns whether the owner must be added. @throws ServiceError `already_exists`, `permission_denied` */
async function requireRegistrable(
  query: Kysely<AuthSchema>,
  { saleUuid, owner, existingOwner, onlyFounders }: Omit<SaleRegistration, "nowMs">,
): Promise<boolean> {
  const isKnown = await isSaleKnown(query, saleUuid);
  const members = await readMembers(query, saleUuid);
  const addsOwner = decideRegistration(owner, { isKnown, members, existingOwner });
  if (addsOwner && onlyFounders && !(await isFounder(query, owner))) {
    throw new ServiceError("permission_denied", "only invited founders may create sales");
  }
  return addsOwner;
}

/** The state of a sale before its registration. */
export interface RegistrationState {
  /** Whether auth has a row for the sale, from an earlier registration or for another reason. */
  readonly isKnown: boolean;
  readonly members: readonly MemberRole[];
  /** The owner that the commitments service knows; empty for none, undefined for an unknown sale. */
  readonly existingOwner: string | undefined;
}

/**
 * Decides what the registration of a sale does. Repeating it changes nothing, so that the same owner can try again after a
 * creation that failed. Anyone else who uses the UUID of an existing sale is refused.
 *
 * @param owner empty for a sale that an operator creates without an owner
 * @returns whether `owner` must be added as the owner
 * @throws ServiceError `already_exists`
 */
export function decideRegistration(owner: string, { isKnown, members, existingOwner }: RegistrationState): boolean {
  if (existingOwner !== undefined && existingOwner !== owner) throw taken();
  const owns = members.some(({ accountUuid, role }) => accountUuid === owner && role === "owner");
  if (owns || (owner === "" && members.length === 0)) return false;
  // The sale was created without auth, and its owner registers it only now.
  const isLate = existingOwner !== undefined && members.length === 0;
  if (owner === "" || (isKnown && !isLate)) throw taken();
  return true;
}

function taken(): ServiceError {
  return new ServiceError("already_exists", "a sale with this UUID already exists");
}
