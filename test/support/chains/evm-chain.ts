import { createHash } from "node:crypto";
import { type Hex, keccak256 } from "viem";
import { ROW_TOPICS } from "../../../common/contracts/reference/evm/abi.ts";
import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";

export const CONTRACT = `0x${"5a1e".repeat(10)}`;
/** A contract with the same state and logs at another address. */
export const TWIN = `0x${"7a1e".repeat(10)}`;

export type SaleRow = Omit<SourceCommitment, "sourceIndex">;

/** State of the fake sale contract at a block. */
export interface SaleState {
  readonly rows: readonly SaleRow[];
  readonly stage: number;
  /** Answer of `version()`; without it the contract has no such function. */
  readonly version?: readonly [number, number, number];
  /** The address that `hasRole()` knows, in lower case; without it the contract has no such function. */
  readonly permitSigner?: string;
  /** Added to the first token's total, to make it wrong. */
  readonly surplus: bigint;
  /** Whether the contract says what it accepts; without it it has no such functions. */
  readonly allocates?: boolean;
  /** Whether it lists allocations from the last entity to the first. */
  readonly reversesAllocations?: boolean;
  /** Added to the first token's total of accepted amounts. */
  readonly acceptedSurplus?: bigint;
}

export interface FakeLog {
  readonly topics: readonly string[];
}

export interface FakeBlock {
  readonly number: bigint;
  /** 64 hex digits. */
  readonly hash: string;
  readonly parentHash: string;
  readonly state: SaleState;
  readonly logs: readonly FakeLog[];
}

const EMPTY: SaleState = { rows: [], stage: 1, surplus: 0n };

/** A chain with one sale contract, in memory. Blocks that were re-organised away can still be found by their hash. */
export class FakeEvmChain {
  readonly #byHash = new Map<string, FakeBlock>();
  #canonical: FakeBlock[] = [];
  #made = 0;

  constructor() {
    this.mine();
  }

  get head(): FakeBlock {
    const head = this.#canonical.at(-1);
    if (head === undefined) throw new Error("the chain is empty");
    return head;
  }

  at(number: bigint): FakeBlock | undefined {
    return this.#canonical[Number(number)];
  }

  byHash(hash: string): FakeBlock | undefined {
    return this.#byHash.get(hash);
  }

  isCanonical(block: FakeBlock): boolean {
    return this.at(block.number) === block;
  }

  /** Adds a block with a change of the contract. */
  mine(change: Partial<SaleState> = {}, logs: readonly FakeLog[] = []): FakeBlock {
    const parent = this.#canonical.at(-1);
    const hash = createHash("sha256")
      .update(`block ${this.#made++}`)
      .digest("hex");
    const state = { ...(parent?.state ?? EMPTY), ...change };
    const number = BigInt(this.#canonical.length);
    const block = { number, hash, parentHash: parent?.hash ?? "0".repeat(64), state, logs };
    this.#canonical.push(block);
    this.#byHash.set(hash, block);
    return block;
  }

  /** Drops the newest blocks, but never the first one. */
  drop(depth: number): void {
    this.#canonical = this.#canonical.slice(0, Math.max(1, this.#canonical.length - depth));
  }

  /** Sets or appends a row in a block of its own, with the log that names its entity. */
  put(index: number, row: SaleRow, topic: string = ROW_TOPICS.bidPlaced): FakeBlock {
    return this.mine({ rows: this.head.state.rows.toSpliced(index, 1, row) }, [rowLog(row, topic)]);
  }
}

export function rowLog({ entityId }: SaleRow, topic: string = ROW_TOPICS.bidPlaced): FakeLog {
  return { topics: [topic, `0x${entityId.padEnd(64, "0")}`, `0x${"0".repeat(24)}${"1".repeat(40)}`] };
}

const blooms = new WeakMap<readonly FakeLog[], string>();

/** The bloom of a block's header: that of the contracts' addresses and the topics of each log. */
export function logsBloomOf(logs: readonly FakeLog[]): string {
  const bloom = blooms.get(logs) ?? bloomOf(logs.flatMap(({ topics }) => [CONTRACT, TWIN, ...topics]) as Hex[]);
  blooms.set(logs, bloom);
  return bloom;
}

/** A bloom with three bits for each value. */
export function bloomOf(values: readonly Hex[]): Hex {
  let bits = 0n;
  for (const value of new Set(values)) {
    const hash = keccak256(value);
    for (const at of [2, 6, 10]) bits |= 1n << (BigInt(`0x${hash.slice(at, at + 4)}`) % 2048n);
  }
  return `0x${bits.toString(16).padStart(512, "0")}`;
}

export const TOKEN = `0x${"a".repeat(40)}`;
export const OTHER_TOKEN = `0x${"b".repeat(40)}`;

/** The commitment of entity `number`, with two wallets and two tokens. */
export function saleRow(number: number, change: Partial<SaleRow> = {}): SaleRow {
  const entityId = number.toString(16).padStart(32, "0");
  const wallet = `0x${number.toString(16).padStart(40, "c")}`;
  return {
    commitmentId: entityId.padEnd(64, "0"),
    entityId,
    createdAtSeconds: 1_700_000_000n + BigInt(number),
    priceTicks: 7n,
    lockup: false,
    refunded: false,
    amounts: [
      { wallet, token: TOKEN, amount: 1000n + BigInt(number) },
      { wallet: `0x${"d".repeat(40)}`, token: OTHER_TOKEN, amount: 2n ** 70n },
    ],
    extraData: number % 2 === 0 ? new Uint8Array() : Uint8Array.of(1, 2, 3),
    ...change,
  };
}

export function saleRows(count: number, first = 1): readonly SaleRow[] {
  return Array.from({ length: count }, (_, index) => saleRow(first + index));
}
