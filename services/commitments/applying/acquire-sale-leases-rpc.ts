import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Lease } from "../base/domain/lease.ts";
import type { ChangingContext } from "../changing/commitments-store.ts";
import { decideLease, leaseMillis } from "./acquire-sale-lease-rpc.ts";
import { type InTurn, leaseWritesSignal, writeSideBySide } from "./lease-writes.ts";
import { changeLeaseAtOnce, readHoldings } from "./sale-lease-store.ts";

export function acquireSaleLeasesRpc({
  store: { database },
}: ChangingContext): ServiceImpl<typeof CommitmentService>["acquireSaleLeases"] {
  return async ({ holder, duration, saleUuids }) => {
    const durationMillis = leaseMillis(duration);
    const signal = leaseWritesSignal(durationMillis);
    const asked = new Map(saleUuids.map((saleUuid) => [saleUuid.toLowerCase(), saleUuid]));
    const holdings = await readHoldings(database, [...asked.keys()], holder);
    const free = holdings.flatMap(({ saleUuid, isForeign }) => (isForeign ? [] : saleUuid));
    const foreign = holdings.flatMap(({ saleUuid, isForeign }) => (isForeign ? saleUuid : []));
    const take = (saleUuid: string, inTurn: InTurn) =>
      changeLeaseAtOnce(database, saleUuid, decideLease(holder, durationMillis), inTurn);
    const leases = await writeSideBySide<string, Lease>(free, take, signal);
    const acquired: { saleUuid: string; epoch: bigint }[] = [];
    for (const [saleUuid, lease] of leases) {
      if (lease.holder === holder) acquired.push({ saleUuid: asked.get(saleUuid) ?? saleUuid, epoch: lease.epoch });
      else foreign.push(saleUuid);
    }
    return { acquired, foreign: foreign.map((saleUuid) => asked.get(saleUuid) ?? saleUuid) };
  };
}
