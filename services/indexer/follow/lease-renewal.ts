import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { Semaphore } from "../../../common/platform/concurrency/semaphore.ts";
import type { CommitmentsClient } from "../sending/commitments-client.ts";

/** Calls at once to a service that renews leases only one by one. */
const ASKED_AT_ONCE = 16;

export interface LeaseOptions {
  readonly client: CommitmentsClient;
  /** Name of this process, unlike that of any other. */
  readonly holder: string;
  /** Duration of a lease without renewal, in milliseconds. After that another process can take over. */
  readonly durationMs: number;
}

interface Lease {
  readonly saleUuid: string;
  readonly epoch: bigint;
}

/** UUIDs of sales by what has become of their leases. A lease in neither list may still be held. */
export interface LeaseRenewal {
  readonly renewed: readonly string[];
  readonly lost: readonly string[];
}

/** Renews leases within a third of their duration, so that one that got no answer is asked for twice before it ends. Never throws. */
export async function renewLeases(
  { client, holder, durationMs }: LeaseOptions,
  leases: readonly Lease[],
  signal: AbortSignal,
): Promise<LeaseRenewal> {
  // The protocol has whole milliseconds only.
  const timeoutMs = Math.ceil(durationMs / 3);
  const request = {
    holder,
    duration: durationFromMs(durationMs),
    leases: leases.map(({ saleUuid, epoch }) => ({ saleUuid, epoch })),
  };
  try {
    return await client.commitments.renewSaleLeases(request, { signal, timeoutMs });
  } catch (error) {
    if (ConnectError.from(error).code !== Code.Unimplemented) return { renewed: [], lost: [] };
    return renewEach({ client, holder, durationMs }, leases, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
  }
}

/** Renews leases at a service of the version before, which has no RPC for many. */
async function renewEach(
  { client, holder, durationMs }: LeaseOptions,
  leases: readonly Lease[],
  signal: AbortSignal,
): Promise<LeaseRenewal> {
  const semaphore = new Semaphore(ASKED_AT_ONCE);
  const [renewed, lost]: [string[], string[]] = [[], []];
  const renew = async ({ saleUuid, epoch }: Lease) => {
    const request = { saleUuid, holder, duration: durationFromMs(durationMs) };
    const answer = await semaphore.run(() => client.commitments.acquireSaleLease(request, { signal }), signal);
    // It may be this process's again, after another one had it.
    const isHeld = answer.acquired && answer.epoch === epoch;
    (isHeld ? renewed : lost).push(saleUuid);
  };
  await Promise.allSettled(leases.map(renew));
  return { renewed, lost };
}
