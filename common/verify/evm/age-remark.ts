import type { EvmEndpoint } from "../../chains/evm/evm-endpoint.ts";
import { readBlock } from "../../chains/evm/read-block.ts";

/** Age of figures that is worth a word: longer than confirmations and finality usually take. */
const OLD_SECONDS = 1_200n;

/**
 * Says how much older the block of the figures is than the node's newest one, as whoever shows old figures shows none of the
 * commitments since; undefined if they are recent, or the node doesn't say.
 *
 * @throws SourceFault
 */
export async function ageRemark(
  endpoint: EvmEndpoint,
  height: bigint,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [then, now] = await Promise.all([readBlock(endpoint, height, signal), readBlock(endpoint, "latest", signal)]);
  if (then?.timeSeconds === undefined || now?.timeSeconds === undefined) return undefined;
  const seconds = now.timeSeconds - then.timeSeconds;
  if (seconds < OLD_SECONDS) return undefined;
  const age = `${seconds / 60n} minutes older than block ${now.number}, the node's newest`;
  return `the figures are of block ${height}, which is ${age}: later commitments aren't in them`;
}
