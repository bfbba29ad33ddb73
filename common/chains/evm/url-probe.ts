import { type Block, parseBlock, quantity } from "./block.ts";
import { redactedMessage } from "./failure-kind.ts";
import { RpcFault } from "./rpc-fault.ts";

/** How calls may name their block, as a URL's probe has shown. */
export interface UrlAbilities {
  /** Whether by its hash (EIP-1898). */
  readonly byHash: boolean;
  /** Whether such a call may ask that the block be part of the chain. That the node then minds it can't be shown. */
  readonly requireCanonical: boolean;
}

/** Sends a request to the URL. @throws RpcFault */
export type AskUrl = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Blocks below the head that a call is tried at: deep enough to be past most re-organisations, and within the state of pruned nodes. */
const DEPTH = 32n;
/** A hash that no block has. */
const NO_BLOCK = `0x${"no such block: "
  .repeat(3)
  .slice(0, 32)
  .replaceAll(/./g, (sign) => sign.charCodeAt(0).toString(16))}`;
/** A call of the precompiled contract that answers its input. Every node has it, whatever else is on its chain. */
export const ECHO = { to: `0x${"4".padStart(40, "0")}`, data: `0x${"e".repeat(64)}` };
/** A call without a contract, whose code returns TIMESTAMP. The number of the block isn't asked for: Arbitrum gives another chain's. */
const TIME_OF_BLOCK = { data: "0x4260005260206000f3" };

type BlockName = string | { readonly blockHash: string; readonly requireCanonical?: true };

/**
 * Asks a URL to prove what readers rely on: that it is of the right chain, and that it answers calls at the block that they name. A
 * refusal proves nothing: a pruned node doesn't have the state, some nodes refuse calls without a contract.
 *
 * @throws RpcFault of kind `wrong_url` for another chain, or for answers about other blocks; others if the URL doesn't answer.
 */
export async function probeUrl(ask: AskUrl, chainId: number, host: string): Promise<UrlAbilities> {
  await checkChain(ask, chainId, host);
  const newest = await blockAt(ask, "latest");
  if (newest === undefined) throw new RpcFault("unavailable", `${host}: it has no readable latest block`);
  const tried = (await blockAt(ask, quantity(newest.number > DEPTH ? newest.number - DEPTH : 0n))) ?? newest;
  const calls = new ProbeCalls(ask);
  if (await calls.isAnswered({ blockHash: NO_BLOCK })) {
    throw ignoresBlock(host, "it answers a call at a block hash that doesn't exist");
  }
  const abilities = await hashAbilities(calls, [tried, newest]);
  const names: BlockName[] = [quantity(tried.number)];
  if (abilities.byHash) names.push(nameOfBlock(tried, abilities));
  for (const name of names) await checkTime(ask, calls, tried, name, host);
  return abilities;
}

/** The second parameter of `eth_call`: the hash where the URL takes hashes, else the number. */
export function nameOfBlock(
  { number, hash }: Pick<Block, "number" | "hash">,
  { byHash, requireCanonical }: UrlAbilities,
): BlockName {
  if (!byHash) return quantity(number);
  return { blockHash: `0x${hash}`, ...(requireCanonical && { requireCanonical }) };
}

/** @throws RpcFault of kind `wrong_url` if the URL is of another chain. */
export async function checkChain(ask: AskUrl, chainId: number, host: string): Promise<void> {
  const answer = await ask("eth_chainId", []);
  if (isChainId(answer) && BigInt(answer) === BigInt(chainId)) return;
  const problem = `it says that its chain ID is ${chainIdText(answer)}, not ${chainId}`;
  throw new RpcFault("wrong_url", `${host}: ${problem}: set the URL of a node of the right chain`);
}

function isChainId(answer: unknown): answer is string {
  return typeof answer === "string" && /^0x[0-9a-f]{1,16}$/i.test(answer);
}

/** Returns a node's chain ID as people write it; an answer that is none as it is. */
function chainIdText(answer: unknown): string {
  if (isChainId(answer)) return BigInt(answer).toString();
  return typeof answer === "string" ? redactedMessage(answer) : "nothing readable";
}

async function blockAt(ask: AskUrl, name: string): Promise<Block | undefined> {
  return parseBlock(await ask("eth_getBlockByNumber", [name, false]));
}

/** Tries by which names the node takes blocks, first that which is wanted most. */
async function hashAbilities(calls: ProbeCalls, blocks: readonly Block[]): Promise<UrlAbilities> {
  for (const requireCanonical of [true, false]) {
    const abilities = { byHash: true, requireCanonical };
    for (const block of blocks) if (await calls.isAnswered(nameOfBlock(block, abilities))) return abilities;
  }
  return { byHash: false, requireCanonical: false };
}

/** @throws RpcFault if a call at the block gives another time than the block's header, twice: the chain may just have been re-organised. */
async function checkTime(ask: AskUrl, calls: ProbeCalls, block: Block, name: BlockName, host: string): Promise<void> {
  const said = await calls.timeAt(name);
  if (said === undefined || block.timeSeconds === undefined || said === block.timeSeconds) return;
  const now = await blockAt(ask, quantity(block.number));
  const again = await calls.timeAt(name);
  if (now?.hash !== block.hash || again === undefined || again === block.timeSeconds) return;
  throw ignoresBlock(
    host,
    `it answers a call at block ${block.number}, of time ${block.timeSeconds}, with time ${again}`,
  );
}

function ignoresBlock(host: string, finding: string): RpcFault {
  const problem = `${finding}, so its answers may be about any block: set the URL of a node that keeps to the block that a call names`;
  return new RpcFault("wrong_url", `${host}: ${problem}`);
}

/** Calls whose right answers are known. */
class ProbeCalls {
  readonly #ask: AskUrl;

  constructor(ask: AskUrl) {
    this.#ask = ask;
  }

  async isAnswered(block: BlockName): Promise<boolean> {
    return (await this.#call(ECHO, block)) === ECHO.data;
  }

  /** The time of the block that the node calls by this name, in seconds since 1970; undefined if it doesn't say. */
  async timeAt(block: BlockName): Promise<bigint | undefined> {
    const answer = await this.#call(TIME_OF_BLOCK, block);
    return typeof answer === "string" && /^0x[0-9a-f]{64}$/i.test(answer) ? BigInt(answer) : undefined;
  }

  /** @returns undefined if the node refuses the call. @throws RpcFault if it doesn't answer, or wants to be asked later */
  async #call(call: object, block: BlockName): Promise<unknown> {
    try {
      return await this.#ask("eth_call", [call, block]);
    } catch (error) {
      if (error instanceof RpcFault && error.isRefusal) return undefined;
      throw error;
    }
  }
}
