import { quantity } from "../../chains/evm/block.ts";
import type { EvmEndpoint } from "../../chains/evm/evm-endpoint.ts";
import { RpcFault } from "../../chains/evm/rpc-fault.ts";
import { ROW_TOPICS, STAGE_TOPIC } from "../../contracts/reference/evm/abi.ts";

/** Blocks in the first query. Nodes that refuse so many are asked for fewer. */
const FIRST_BLOCKS = 10_000n;
/** Most queries, so that the search ends: with 10,000 blocks in each, 5 million blocks. */
const MAX_QUERIES = 500;
const TOPICS = [...Object.values(ROW_TOPICS), STAGE_TOPIC];
const QUANTITY = /^0x[0-9a-f]{1,16}$/i;

/** Thrown if the node doesn't give a contract's logs, or too many queries would be needed. */
export class UnreadableLogs extends Error {
  override readonly name = "UnreadableLogs";
}

/**
 * The first block after `from`, up to `to`, in which a contract has logged a change of a commitment or of its stage; undefined
 * if there is none.
 *
 * @throws UnreadableLogs; the signal's reason
 */
export async function firstChangeAfter(
  endpoint: EvmEndpoint,
  contract: string,
  from: bigint,
  to: bigint,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  let blocks = FIRST_BLOCKS;
  let queries = 0;
  for (let first = from + 1n; first <= to; ) {
    const last = first + blocks - 1n < to ? first + blocks - 1n : to;
    queries += 1;
    if (queries > MAX_QUERIES) throw new UnreadableLogs("the blocks are too many for the node's limit");
    const numbers = await changedBlocks(endpoint, contract, first, last, signal);
    if (numbers === undefined) {
      if (blocks === 1n) throw new UnreadableLogs("the node gives no logs");
      blocks = blocks > 10n ? blocks / 10n : 1n;
      continue;
    }
    const [change] = numbers.toSorted((one, other) => (one < other ? -1 : 1));
    if (change !== undefined) return change;
    first = last + 1n;
  }
  return undefined;
}

/** The blocks of a range with such logs; undefined if the node refuses the query. */
async function changedBlocks(
  endpoint: EvmEndpoint,
  address: string,
  first: bigint,
  last: bigint,
  signal: AbortSignal,
): Promise<readonly bigint[] | undefined> {
  const filter = { address, topics: [TOPICS], fromBlock: quantity(first), toBlock: quantity(last) };
  try {
    const { result } = await endpoint.answer("eth_getLogs", [filter], signal, { heavy: true, rounds: 1 });
    return blockNumbers(result);
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    return undefined;
  }
}

function blockNumbers(logs: unknown): readonly bigint[] {
  if (!Array.isArray(logs)) throw new UnreadableLogs("the node's answer isn't a list of logs");
  return logs.map((log: unknown) => {
    const number = typeof log === "object" && log !== null && "blockNumber" in log ? log.blockNumber : undefined;
    if (typeof number !== "string" || !QUANTITY.test(number)) throw new UnreadableLogs("a log has no block");
    return BigInt(number);
  });
}
