import { fromBinary } from "@bufbuild/protobuf";
import { connect } from "nats";
import { COMMITMENTS_STREAM } from "../../../common/internal-api/commitment-subjects.ts";
import { type SaleUpdated, SaleUpdatedSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";

/** Time after which a read ends with what it has, because its consumer may be lost with a server. */
const READ_LIMIT_MS = 60_000;

/**
 * Reads the events that the stream keeps, in order, with a consumer that begins with the first one. Call it again while events
 * are missing.
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

/** Returns the revisions of each sale without repeats, which consumers drop as in docs/subscribing.md. */
export function revisionsBySale(updates: readonly SaleUpdated[]): ReadonlyMap<string, readonly bigint[]> {
  const bySale = new Map<string, bigint[]>();
  for (const { saleUuid, revision } of updates) {
    const revisions = bySale.get(saleUuid) ?? [];
    if (revision > (revisions.at(-1) ?? 0n)) revisions.push(revision);
    bySale.set(saleUuid, revisions);
  }
  return bySale;
}
