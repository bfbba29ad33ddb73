import type { ServiceImpl } from "@connectrpc/connect";
import { Semaphore } from "../../../common/platform/concurrency/semaphore.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { ChangingContext } from "../changing/commitments-store.ts";
import { acquireSaleLease, leaseMillis } from "./acquire-sale-lease-rpc.ts";
import { readHoldings } from "./sale-lease-store.ts";

/** Leases that are taken at once. */
const TAKEN_AT_ONCE = 8;

export function acquireSaleLeasesRpc({
  store,
}: ChangingContext): ServiceImpl<typeof CommitmentService>["acquireSaleLeases"] {
  return async ({ holder, duration, saleUuids }) => {
    const durationMillis = leaseMillis(duration);
    const asked = new Map(saleUuids.map((saleUuid) => [saleUuid.toLowerCase(), saleUuid]));
    const holdings = await readHoldings(store.database, [...asked.keys()], holder);
    const foreign = new Set(holdings.flatMap(({ saleUuid, isForeign }) => (isForeign ? saleUuid : [])));
    const semaphore = new Semaphore(TAKEN_AT_ONCE);
    const acquired: { saleUuid: string; epoch: bigint }[] = [];
    const take = async (saleUuid: string) => {
      const lease = await acquireSaleLease(store, { saleUuid, holder, durationMillis });
      if (lease.holder === holder) acquired.push({ saleUuid: asked.get(saleUuid) ?? saleUuid, epoch: lease.epoch });
      else foreign.add(saleUuid);
    };
    const free = holdings.filter(({ isForeign }) => !isForeign);
    const { signal } = new AbortController();
    // One sale whose row can't be written now says nothing about the others.
    await Promise.allSettled(free.map(({ saleUuid }) => semaphore.run(() => take(saleUuid), signal)));
    return { acquired, foreign: [...foreign].map((saleUuid) => asked.get(saleUuid) ?? saleUuid) };
  };
}
