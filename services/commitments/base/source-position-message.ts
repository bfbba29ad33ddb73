import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import type { SourcePosition } from "./domain/sale-state.ts";

/** Converts a point of a chain. Written out, so that it costs no `create`. */
export function sourcePositionMessage({ height, hash }: SourcePosition) {
  return { $typeName: "tidemark.commitments.v1.SourcePosition" as const, height, hash: messageBytes(hash) };
}
