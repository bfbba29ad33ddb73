import { invalidArgument, ServiceError } from "../../../../common/platform/errors/service-error.ts";
import type { Sale } from "../../../../common/sale/definition/sale.ts";
import { isFrozen, type SaleState } from "./sale-state.ts";

/** @throws ServiceError `failed_precondition` unless the sale is a draft. */
export function requireDraft({ status }: SaleState): void {
  if (status === "draft") return;
  throw new ServiceError("failed_precondition", `the sale is ${status} already`);
}

/** @throws ServiceError `failed_precondition` for a withdrawn sale. */
export function requireNotWithdrawn({ status }: SaleState): void {
  if (status === "withdrawn") throw new ServiceError("failed_precondition", "the sale was withdrawn");
}

/** @throws ServiceError `failed_precondition` for a draft, which can be deleted, and for a withdrawn sale. */
export function requireWithdrawable(state: SaleState): void {
  requireNotWithdrawn(state);
  if (state.status !== "draft") return;
  throw new ServiceError("failed_precondition", "the sale is a draft: delete it instead");
}

/** Requires that a person has typed the sale's name. @throws ServiceError `invalid_argument` */
export function requireConfirmed({ definition: { name } }: Sale, field: string, confirmName: string): void {
  if (confirmName === name) return;
  throw invalidArgument([{ field, rule: "confirm_name", message: `must be the sale's name, ${JSON.stringify(name)}` }]);
}

/** @throws ServiceError `failed_precondition` unless the sale is open, and nobody but its owner decides when it settles. */
export function requireSettleable(state: SaleState): void {
  requireNoChangeSet(state);
  if (state.status !== "open") throw new ServiceError("failed_precondition", `the sale is ${state.status}, not open`);
  if (state.stage !== undefined) {
    throw new ServiceError("failed_precondition", "the sale's contract decides when it is settled");
  }
}

/** @throws ServiceError `failed_precondition` while a change set is open. */
export function requireNoChangeSet({ changeSet }: SaleState): void {
  if (changeSet === undefined) return;
  throw new ServiceError("failed_precondition", `change set ${changeSet.uuid} is open; finish it first`);
}

/** @throws ServiceError `aborted` if the definition was changed since the caller read it. */
export function requireVersion({ definitionVersion }: Sale, expected: bigint): void {
  if (definitionVersion === expected) return;
  throw new ServiceError("aborted", `the definition is at version ${definitionVersion}; read it again`);
}

/**
 * @throws ServiceError `aborted` if the sale's status, or what is frozen, was changed since the caller read it, even if the
 *   status was changed back.
 */
export function requireSameStatus(before: SaleState, now: SaleState): void {
  if (before.status !== now.status || before.settleCount !== now.settleCount) {
    throw new ServiceError("aborted", `the sale is ${now.status} now; read it again`);
  }
  if (isFrozen(before) === isFrozen(now)) return;
  throw new ServiceError("aborted", "the sale's source was read meanwhile; read the sale again");
}
