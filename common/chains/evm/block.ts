import { SourceFault } from "../base/source-fault.ts";
import type { SourcePosition } from "../base/source-position.ts";
import { blockTime } from "../base/source-position.ts";
import type { Answer, AskOptions, EvmEndpoint } from "./evm-endpoint.ts";
import type { RpcUrl } from "./rpc-url.ts";

export interface Block {
  readonly number: bigint;
  /** 64 lower-case hex digits, as in `SourcePosition`. */
  readonly hash: string;
  readonly parentHash: string;
  /** Seconds since 1970; absent if the node doesn't say. */
  readonly timeSeconds?: bigint;
}

export function positionOf({ number, hash, timeSeconds }: Block): SourcePosition {
  return { height: number, hash, ...blockTime(timeSeconds) };
}

export function quantity(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/**
 * Reads a block as the node has it now; undefined if it has no block of that number.
 *
 * @throws SourceFault
 */
export async function readBlock(
  endpoint: EvmEndpoint,
  which: bigint | "latest" | "finalized",
  signal: AbortSignal,
  options: AskOptions = {},
): Promise<Block | undefined> {
  const name = typeof which === "bigint" ? quantity(which) : which;
  const { result, url } = await endpoint.answer("eth_getBlockByNumber", [name, false], signal, options);
  if (result === null) return undefined;
  const block = parseBlock(result);
  if (block === undefined || (typeof which === "bigint" && block.number !== which)) throw unreadable({ result, url });
  return block;
}

/** Whether the block at a position is part of the chain, according to one URL. Errors are those of `readBlock`. */
export async function isCanonical(
  endpoint: EvmEndpoint,
  { height, hash }: SourcePosition,
  url: RpcUrl,
  signal: AbortSignal,
): Promise<boolean> {
  return (await readBlock(endpoint, height, signal, { only: url }))?.hash === hash;
}

function unreadable({ url }: Answer): SourceFault {
  return new SourceFault(`${url.host}: its answer to eth_getBlockByNumber isn't a block`, { remedy: "wait" });
}

function parseBlock(value: unknown): Block | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { number, hash, parentHash, timestamp } = value as Record<string, unknown>;
  if (!isQuantity(number)) return undefined;
  const [ownHash, parent] = [hashOf(hash), hashOf(parentHash)];
  if (ownHash === undefined || parent === undefined) return undefined;
  return {
    number: BigInt(number),
    hash: ownHash,
    parentHash: parent,
    ...blockTime(isQuantity(timestamp) ? BigInt(timestamp) : undefined),
  };
}

function isQuantity(value: unknown): value is string {
  return typeof value === "string" && /^0x[0-9a-f]{1,16}$/i.test(value);
}

function hashOf(value: unknown): string | undefined {
  return typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value) ? value.slice(2).toLowerCase() : undefined;
}
