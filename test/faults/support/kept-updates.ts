import { fromBinary } from "@bufbuild/protobuf";
import { connect } from "nats";
import { type SaleUpdated, SaleUpdatedSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { COMMITMENTS_STREAM } from "../../../services/shared/commitment-subjects.ts";

/** Everything that the stream keeps, in its order, as a consumer gets it that begins with the first event. */
export async function keptUpdates(natsUrl: string): Promise<readonly SaleUpdated[]> {
  const connection = await connect({ servers: natsUrl });
  try {
    const { state } = await (await connection.jetstreamManager()).streams.info(COMMITMENTS_STREAM.name);
    const updates: SaleUpdated[] = [];
    if (state.messages === 0) return updates;
    const consumer = await connection.jetstream().consumers.get(COMMITMENTS_STREAM.name);
    for await (const message of await consumer.consume()) {
      updates.push(fromBinary(SaleUpdatedSchema, message.data));
      if (message.info.pending === 0) break;
    }
    return updates;
  } finally {
    await connection.close();
  }
}

/** The revisions of each sale, repeats dropped as docs/subscribing.md says. */
export function revisionsBySale(updates: readonly SaleUpdated[]): ReadonlyMap<string, readonly bigint[]> {
  const bySale = new Map<string, bigint[]>();
  for (const { saleUuid, revision } of updates) {
    const revisions = bySale.get(saleUuid) ?? [];
    if (revision > (revisions.at(-1) ?? 0n)) revisions.push(revision);
    bySale.set(saleUuid, revisions);
  }
  return bySale;
}
