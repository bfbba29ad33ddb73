import { fromBinary } from "@bufbuild/protobuf";
import { connect } from "nats";
import { type SaleUpdated, SaleUpdatedSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { COMMITMENTS_STREAM } from "../../../services/shared/bus/commitment-subjects.ts";

/** A read that takes longer, as its consumer was lost with a server, ends with what it has. */
const READ_LIMIT_MS = 60_000;

/**
 * What the stream keeps, in its order, as a consumer gets it that begins with the first event. To be asked again while
 * something is missing.
 */
export async function keptUpdates(...natsUrls: string[]): Promise<readonly SaleUpdated[]> {
  const connection = await connect({ servers: natsUrls });
  const limit = setTimeout(() => void connection.close(), READ_LIMIT_MS);
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
    clearTimeout(limit);
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
