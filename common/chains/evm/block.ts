import type { SourcePosition } from "../base/source-position.ts";
import { blockTime } from "../base/source-position.ts";
import { parseBloom } from "./logs-bloom.ts";

export interface Block {
  readonly number: bigint;
  /** 64 lower-case hex digits, as in `SourcePosition`. */
  readonly hash: string;
  readonly parentHash: string;
  /** Seconds since 1970; absent if the node doesn't say. */
  readonly timeSeconds?: bigint;
  /** Bloom of the block's logs, as 512 lower-case hex digits; absent if it says nothing. */
  readonly logsBloom?: string;
}

/** The largest height that databases and RPCs take: a sale's report with a larger one is refused. */
const MAX_NUMBER = 2n ** 63n - 1n;

export function positionOf({ number, hash, timeSeconds }: Block): SourcePosition {
  return { height: number, hash, ...blockTime(timeSeconds) };
}

export function quantity(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** A node's answer as a block; undefined if it isn't one. */
export function parseBlock(value: unknown): Block | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { number, hash, parentHash, timestamp, logsBloom } = value as Record<string, unknown>;
  if (!isQuantity(number) || BigInt(number) > MAX_NUMBER) return undefined;
  const [ownHash, parent] = [hashOf(hash), hashOf(parentHash)];
  if (ownHash === undefined || parent === undefined) return undefined;
  const bloom = parseBloom(logsBloom);
  return {
    number: BigInt(number),
    hash: ownHash,
    parentHash: parent,
    ...blockTime(isQuantity(timestamp) ? BigInt(timestamp) : undefined),
    ...(bloom === undefined ? {} : { logsBloom: bloom }),
  };
}

function isQuantity(value: unknown): value is string {
  return typeof value === "string" && /^0x[0-9a-f]{1,16}$/i.test(value);
}

function hashOf(value: unknown): string | undefined {
  return typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value) ? value.slice(2).toLowerCase() : undefined;
}
