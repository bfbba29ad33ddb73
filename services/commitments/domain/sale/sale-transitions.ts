import { ServiceError } from "../../../shared/errors/service-error.ts";
import type { Sale } from "./sale.ts";
import type { SaleState } from "./sale-state.ts";

/** @throws ServiceError `failed_precondition` unless the sale is a draft. */
export function requireDraft({ status }: SaleState): void {
  if (status === "draft") return;
  throw new ServiceError("failed_precondition", `the sale is ${status} already`);
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

/** @throws ServiceError `aborted` if the status was changed since the caller read it. */
export function requireSameStatus(before: SaleState, { status }: SaleState): void {
  if (before.status === status) return;
  throw new ServiceError("aborted", `the sale is ${status} now; read it again`);
}
