import type { Transaction } from "kysely";
import { ServiceError } from "../../shared/errors/service-error.ts";
import { lockAccount } from "../accounts/accounts-store.ts";
import { recordEvent } from "../base/audit-store.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import { isFounder } from "./founders-store.ts";
import { readMembers, storeMember } from "./members-store.ts";
import { insertSaleAccess, isSaleNoted, lockSale } from "./sale-access-store.ts";
import { decideRegistration } from "./sale-registration.ts";

export interface SaleRegistration {
  readonly saleUuid: string;
  /** Account UUID; empty for a sale that an operator makes for nobody. */
  readonly owner: string;
  /** What the commitments service says of the sale; undefined where it doesn't know it. */
  readonly existingOwner: string | undefined;
  /** Whether only founders may own a new sale. */
  readonly onlyFounders: boolean;
  readonly nowMs: bigint;
}

/**
 * Notes a sale and its owner; see `decideRegistration`.
 *
 * @throws ServiceError `already_exists`, `permission_denied` for an owner who isn't a founder, `not_found` for an unknown one
 */
export async function registerSale(database: AuthDatabase, registration: SaleRegistration): Promise<void> {
  const register = () =>
    database.writeExclusive(registration.saleUuid, (transaction) => write(database, transaction, registration));
  await register().catch((error) => {
    if (!database.dialect.isDuplicateKey(error)) throw error;
    // Another call has noted the sale meanwhile: this one finds it now.
    return register();
  });
}

async function write(
  { dialect }: AuthDatabase,
  transaction: Transaction<AuthSchema>,
  { saleUuid, owner, existingOwner, onlyFounders, nowMs }: SaleRegistration,
): Promise<void> {
  const isNoted = await isSaleNoted(transaction, saleUuid);
  if (isNoted) await lockSale(transaction, dialect, saleUuid);
  const members = await readMembers(transaction, saleUuid);
  const addsOwner = decideRegistration(owner, { isNoted, members, existingOwner });
  if (isNoted && !addsOwner) return;
  if (!isNoted) await insertSaleAccess(transaction, saleUuid);
  if (addsOwner) {
    if (onlyFounders) await requireFounder(transaction, owner);
    if (!(await lockAccount(transaction, dialect, owner))) {
      throw new ServiceError("not_found", `there is no account ${owner}`);
    }
    await storeMember(transaction, dialect, saleUuid, { accountUuid: owner, role: "owner" });
  }
  const accountUuid = owner === "" ? undefined : owner;
  await recordEvent(transaction, { event: "sale.registered", saleUuid, accountUuid }, nowMs);
}

async function requireFounder(transaction: Transaction<AuthSchema>, accountUuid: string): Promise<void> {
  if (await isFounder(transaction, accountUuid)) return;
  throw new ServiceError("permission_denied", "only who was invited as a founder may create sales");
}
