import type { ServiceImpl } from "@connectrpc/connect";
import { callSignal } from "../../../common/platform/concurrency/call-signal.ts";
import { Semaphore } from "../../../common/platform/concurrency/semaphore.ts";
import { untilAborted } from "../../../common/platform/concurrency/until-aborted.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { ChangingContext } from "../changing/commitments-store.ts";
import { leaseMillis } from "./acquire-sale-lease-rpc.ts";
import { prolongLease } from "./sale-lease-store.ts";

/** Leases that are renewed at once: a row that an apply has locked holds up no other lease. */
const RENEWED_AT_ONCE = 8;

/** Part of the leases' duration after which the answer leaves out those whose rows still can't be written. */
const LIMIT_DIVISOR = 6n;

type Renewal = "renewed" | "lost" | "unknown";

export function renewSaleLeasesRpc({
  store: { database },
}: ChangingContext): ServiceImpl<typeof CommitmentService>["renewSaleLeases"] {
  return async ({ holder, duration, leases }) => {
    const semaphore = new Semaphore(RENEWED_AT_ONCE);
    const durationMillis = leaseMillis(duration);
    const signals = [callSignal(), AbortSignal.timeout(Number(durationMillis / LIMIT_DIVISOR))];
    const signal = AbortSignal.any(signals.filter((each) => each !== undefined));
    const renew = async ({ saleUuid, epoch }: (typeof leases)[number]) => {
      const held = { saleUuid: saleUuid.toLowerCase(), holder, epoch, durationMillis };
      const isHeld = semaphore.run(() => prolongLease(database, held), signal);
      return { saleUuid, renewal: await untilAborted(isHeld, signal).then(renewalOf, unknown) };
    };
    const renewals = await Promise.all(leases.map(renew));
    const those = (kind: Renewal) => renewals.flatMap(({ saleUuid, renewal }) => (renewal === kind ? saleUuid : []));
    return { renewed: those("renewed"), lost: those("lost") };
  };
}

function renewalOf(isHeld: boolean): Renewal {
  return isHeld ? "renewed" : "lost";
}

/** One lease whose row can't be written now says nothing about the others. */
function unknown(): Renewal {
  return "unknown";
}
