import { type Lease, nextLease } from "../base/domain/lease.ts";
import { requireNotWithdrawn } from "../base/domain/sale-transitions.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { changeLease } from "./sale-lease-store.ts";

export interface LeaseRequest {
  readonly saleUuid: string;
  readonly holder: string;
  readonly durationMillis: bigint;
}

/**
 * Gives the lease of a sale to `holder`, or prolongs it, unless another one holds it now.
 *
 * @returns the lease from now on; it is the caller's if its holder is `holder`.
 * @throws ServiceError `not_found`, `unavailable`, `failed_precondition` for a withdrawn sale.
 */
export async function acquireSaleLease(
  { database }: CommitmentsStore,
  { saleUuid, holder, durationMillis }: LeaseRequest,
): Promise<Lease> {
  return changeLease(database, saleUuid, (state, nowMillis) => {
    requireNotWithdrawn(state);
    return nextLease(state.lease, holder, nowMillis, durationMillis);
  });
}
