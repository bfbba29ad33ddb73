import type { SourcePosition } from "../base/source-position.ts";
import type { Block } from "./block.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import { readBlock } from "./read-block.ts";

/** Positions that are asked for at once. Most re-organisations are shallow. */
const AT_ONCE = 4;

/**
 * The newest of the positions that `block` or one of its ancestors is at, as far as nodes say; undefined if there is none.
 *
 * @param positions newest first.
 * @throws SourceFault
 */
export async function commonAncestor<Position extends SourcePosition>(
  endpoint: EvmEndpoint,
  positions: readonly Position[],
  block: Block,
  signal: AbortSignal,
): Promise<Position | undefined> {
  const hashAt = async (height: bigint) => {
    if (height === block.number) return block.hash;
    if (height === block.number - 1n) return block.parentHash;
    return (await readBlock(endpoint, height, signal))?.hash;
  };
  const candidates = positions.filter(({ height }) => height <= block.number);
  for (let from = 0; from < candidates.length; from += AT_ONCE) {
    const group = candidates.slice(from, from + AT_ONCE);
    const hashes = await Promise.all(group.map(({ height }) => hashAt(height)));
    const ancestor = group.find(({ hash }, index) => hash === hashes[index]);
    if (ancestor !== undefined) return ancestor;
  }
  return undefined;
}
