import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { ChangingContext } from "../changing/commitments-store.ts";
import { leaseMillis } from "./acquire-sale-lease-rpc.ts";
import { type InTurn, leaseWritesSignal, writeSideBySide } from "./lease-writes.ts";
import { prolongLease } from "./sale-lease-store.ts";

export function renewSaleLeasesRpc({
  store: { database },
}: ChangingContext): ServiceImpl<typeof CommitmentService>["renewSaleLeases"] {
  return async ({ holder, duration, leases }) => {
    const durationMillis = leaseMillis(duration);
    const prolong = ({ saleUuid, epoch }: (typeof leases)[number], inTurn: InTurn) =>
      prolongLease(database, { saleUuid: saleUuid.toLowerCase(), holder, epoch, durationMillis }, inTurn);
    const outcomes = await writeSideBySide(leases, prolong, leaseWritesSignal(durationMillis));
    const those = (outcome: "renewed" | "lost") =>
      leases.flatMap((lease) => (outcomes.get(lease) === outcome ? lease.saleUuid : []));
    return { renewed: those("renewed"), lost: those("lost") };
  };
}
