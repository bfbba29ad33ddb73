import type { ServiceImpl } from "@connectrpc/connect";
import { callSignal } from "../../../common/platform/concurrency/call-signal.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { ChangingContext } from "../changing/commitments-store.ts";
import { leaseMillis } from "./acquire-sale-lease-rpc.ts";
import { type InTurn, type Renewal, renewSideBySide } from "./lease-renewals.ts";
import { prolongLease } from "./sale-lease-store.ts";

/** Part of the leases' duration after which the answer leaves out those whose rows still can't be written. */
const LIMIT_DIVISOR = 6n;

export function renewSaleLeasesRpc({
  store: { database },
}: ChangingContext): ServiceImpl<typeof CommitmentService>["renewSaleLeases"] {
  return async ({ holder, duration, leases }) => {
    const durationMillis = leaseMillis(duration);
    const signals = [callSignal(), AbortSignal.timeout(Number(durationMillis / LIMIT_DIVISOR))];
    const signal = AbortSignal.any(signals.filter((each) => each !== undefined));
    const prolong = ({ saleUuid, epoch }: (typeof leases)[number], inTurn: InTurn) =>
      prolongLease(database, { saleUuid: saleUuid.toLowerCase(), holder, epoch, durationMillis }, inTurn);
    const outcomes = await renewSideBySide(leases, prolong, signal);
    const those = (outcome: Renewal) =>
      leases.flatMap((lease) => (outcomes.get(lease) === outcome ? lease.saleUuid : []));
    return { renewed: those("renewed"), lost: those("lost") };
  };
}
