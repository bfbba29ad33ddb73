import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import {
  FeedFault as FaultMessage,
  type FeedState as FeedStateMessage,
  FeedStateSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AsOf, FeedFault, FeedState } from "./domain/feed-state.ts";
import type { SourcePosition } from "./domain/sale-state.ts";

const FAULTS: Readonly<Record<FeedFault, FaultMessage>> = {
  unreadable: FaultMessage.UNREADABLE,
  late: FaultMessage.LATE,
  no_indexer: FaultMessage.NO_INDEXER,
};

/** Converts how current a sale's figures are. @param feedState undefined for a sale without a report */
export function feedStateMessage(feedState: FeedState | undefined): FeedStateMessage {
  const { asOf, behindMillis = 0n, fault, isFinal = false, chain } = feedState ?? {};
  return create(FeedStateSchema, {
    ...(asOf && { asOf: asOfMessage(asOf) }),
    behind: durationFromMs(Number(behindMillis)),
    fault: fault === undefined ? FaultMessage.UNSPECIFIED : FAULTS[fault],
    final: isFinal,
    ...(chain && { chain }),
  });
}

function asOfMessage({ position, blockTimeSeconds, lastSuccessMillis }: AsOf) {
  return {
    position: { height: position.height, hash: messageBytes(position.hash) },
    ...(blockTimeSeconds === undefined ? {} : { blockTime: { seconds: blockTimeSeconds } }),
    lastSuccess: timestampFromMs(Number(lastSuccessMillis)),
  };
}

/** Converts a point of a chain. Written out, so that it costs no `create`. */
export function sourcePositionMessage({ height, hash }: SourcePosition) {
  return { $typeName: "tidemark.commitments.v1.SourcePosition" as const, height, hash: messageBytes(hash) };
}
