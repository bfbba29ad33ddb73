import { type Duration, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { ChangingContext } from "../changing/commitments-store.ts";
import { acquireSaleLease as acquireStored } from "./acquire-sale-lease.ts";

export function acquireSaleLease({
  store,
}: ChangingContext): ServiceImpl<typeof CommitmentService>["acquireSaleLease"] {
  return async ({ saleUuid, holder, duration }) => {
    const wanted = { saleUuid: saleUuid.toLowerCase(), holder, durationMillis: millisOf(duration) };
    const lease = await acquireStored(store, wanted);
    return {
      acquired: lease.holder === holder,
      epoch: lease.epoch,
      holder: lease.holder,
      expiresAt: timestampFromMs(Number(lease.untilMillis)),
    };
  };
}

function millisOf(duration: Duration | undefined): bigint {
  if (duration === undefined) return 0n;
  return duration.seconds * 1000n + BigInt(Math.floor(duration.nanos / 1_000_000));
}
