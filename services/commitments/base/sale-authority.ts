import type { SaleRole } from "../../../common/internal-api/sale-role.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Principal } from "../../../common/platform/rpc/identity/principal.ts";
import type { SettingChange } from "../../../common/sale/words/setting-change.ts";

/** A sale that is about to be withdrawn, or a draft that is about to be deleted. */
export interface SaleRemoval {
  readonly saleUuid: string;
  readonly saleName: string;
  readonly removal: "withdrawal" | "deletion";
}

/** Decides who may do what with a sale. Every refusal is a `ServiceError` whose message says what is missing. */
export interface SaleAuthority {
  /**
   * Returns the account that a new sale will belong to; empty for none.
   *
   * @param named the account that the call names, or empty
   * @throws ServiceError `permission_denied`
   */
  ownerOf(principal: Principal, named: string): string;
  /**
   * Registers a sale before it is created. It may be repeated.
   *
   * @throws ServiceError `permission_denied`, `already_exists` if the UUID is another owner's
   */
  registerSale(saleUuid: string, ownerAccountUuid: string): Promise<void>;
  /** Checks all that `registerSale` checks. @throws as that does */
  checkRegistration(saleUuid: string, ownerAccountUuid: string): Promise<void>;
  /** @throws ServiceError `not_found` for a person who isn't a member, `permission_denied` for one of a lower role */
  requireRole(principal: Principal, saleUuid: string, role: SaleRole): Promise<void>;
  /** Returns those of some sales of which a person is a member; for an operator all of them. */
  visibleSales(principal: Principal, saleUuids: readonly string[]): Promise<readonly string[]>;
  /**
   * @param checkOverridden whether the sale opens although its source doesn't pass the check
   * @throws ServiceError `permission_denied`, `failed_precondition`
   */
  admitOpening(principal: Principal, saleUuid: string, checkOverridden: boolean): Promise<void>;
  /** @throws ServiceError `permission_denied`, `failed_precondition` */
  admitRemoval(principal: Principal, removal: SaleRemoval): Promise<void>;
  /** Makes what follows from a removal happen at once. Never fails: otherwise it happens some seconds later. */
  completeRemoval(saleUuid: string): Promise<void>;
  /**
   * Records who is about to replace the definition of a sale, to settle it, to change its webhooks or to import commitments, in the sale's audit log.
   *
   * @param settings the settings that change
   * @param checkOverridden whether the definition is accepted although it doesn't pass a check; not by default
   * @throws ServiceError `failed_precondition` for a person who settles or imports without a recent sign-in
   */
  recordChange(
    principal: Principal,
    saleUuid: string,
    change: "definition" | "settlement" | "webhooks" | "commitments",
    settings?: readonly SettingChange[],
    checkOverridden?: boolean,
  ): Promise<void>;
}

/** Permits operators everything and other callers nothing; used without an auth service. */
export const operatorsOnly: SaleAuthority = {
  ownerOf: (principal, named) => {
    requireOperator(principal);
    return named;
  },
  registerSale: async () => {},
  checkRegistration: async () => {},
  requireRole: async (principal) => requireOperator(principal),
  visibleSales: async (principal, saleUuids) => {
    requireOperator(principal);
    return saleUuids;
  },
  admitOpening: async (principal) => requireOperator(principal),
  admitRemoval: async (principal) => requireOperator(principal),
  completeRemoval: async () => {},
  recordChange: async () => {},
};

function requireOperator({ kind }: Principal): void {
  if (kind === "operator") return;
  throw new ServiceError("permission_denied", "without an auth service only an operator may do this");
}
