import type { SourcePosition } from "../../../proto/gen/tidemark/commitments/v1/source_position_pb.ts";
import { hex } from "./public-body.ts";

/** The greatest integer of a structured field (RFC 9651, section 3.3.1). No chain counts that far. */
const MAX_INTEGER = 999_999_999_999_999n;

/**
 * Returns a block or slot as a structured field (RFC 9651): its number, and for a block the parameter `hash`. Undefined where
 * it isn't known.
 */
export function changedBlock(position: SourcePosition | undefined): string | undefined {
  if (position === undefined || position.height > MAX_INTEGER) return undefined;
  return position.hash.length === 0 ? `${position.height}` : `${position.height};hash="${hex(position.hash)}"`;
}
