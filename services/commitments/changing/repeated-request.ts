import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { appliedRequestOf } from "./apply-request.ts";
import type { ChangingSale } from "./changing-sale.ts";
import type { NoChange } from "./sale-changes.ts";

export interface ApplyResult {
  readonly generation: string;
  readonly revision: bigint;
  /** The request had been applied before; nothing was done now. */
  readonly repeated: boolean;
}

/**
 * Returns the answer to a request that was applied before; undefined for another one.
 *
 * @param payloadHash hash of the request's payload
 * @throws ServiceError `already_exists` if it was applied with another payload
 */
export function answeredBefore(
  { state: { generation }, prefetched }: ChangingSale,
  requestId: string,
  payloadHash: string,
): NoChange<ApplyResult> | undefined {
  const applied = appliedRequestOf(prefetched.appliedRequest ?? []);
  if (applied === undefined) return undefined;
  if (applied.payloadHash !== payloadHash) {
    throw new ServiceError("already_exists", `request ID ${requestId} was used with another payload`);
  }
  return { unchanged: { generation, revision: applied.revision, repeated: true } };
}
