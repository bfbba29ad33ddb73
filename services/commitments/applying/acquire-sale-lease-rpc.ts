import { type Duration, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { type Lease, nextLease } from "../base/domain/lease.ts";
import type { SaleState } from "../base/domain/sale-state.ts";
import { requireNotWithdrawn } from "../base/domain/sale-transitions.ts";
import type { ChangingContext, CommitmentsStore } from "../changing/commitments-store.ts";
import { changeLease } from "./sale-lease-store.ts";

export function acquireSaleLeaseRpc({
  store,
}: ChangingContext): ServiceImpl<typeof CommitmentService>["acquireSaleLease"] {
  return async ({ saleUuid, holder, duration }) => {
    const request = { saleUuid: saleUuid.toLowerCase(), holder, durationMillis: leaseMillis(duration) };
    const lease = await acquireSaleLease(store, request);
    return {
      acquired: lease.holder === holder,
      epoch: lease.epoch,
      holder: lease.holder,
      expiresAt: timestampFromMs(Number(lease.untilMillis)),
    };
  };
}

/** Returns the requested duration of a lease in milliseconds. */
export function leaseMillis(duration: Duration | undefined): bigint {
  if (duration === undefined) return 0n;
  return duration.seconds * 1000n + BigInt(Math.floor(duration.nanos / 1_000_000));
}

/**
 * Returns a decision that gives a lease to `holder`, or prolongs it, unless another one holds it now: then it stays that one's.
 *
 * @throws ServiceError `failed_precondition` for a withdrawn sale, by the decision.
 */
export function decideLease(holder: string, durationMillis: bigint) {
  return (state: SaleState, nowMillis: bigint): Lease => {
    requireNotWithdrawn(state);
    return nextLease(state.lease, holder, nowMillis, durationMillis);
  };
}

interface LeaseRequest {
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
  return changeLease(database, saleUuid, decideLease(holder, durationMillis));
}
