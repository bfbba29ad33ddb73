import { type Duration, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { acquireSaleLease as acquireStored } from "../store/apply/sale-lease.ts";
import type { Dependencies } from "./dependencies.ts";

export function acquireSaleLease({
  database,
}: Dependencies): ServiceImpl<typeof CommitmentService>["acquireSaleLease"] {
  return async ({ saleUuid, holder, duration }) => {
    const lease = await acquireStored(database, saleUuid.toLowerCase(), holder, millisOf(duration));
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
