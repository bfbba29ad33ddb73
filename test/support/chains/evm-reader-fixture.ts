import { expect } from "vitest";
import type { EvmChain } from "../../../common/chains/base/chain.ts";
import { BlockTimes } from "../../../common/chains/evm/block-times.ts";
import { EvmEndpoint } from "../../../common/chains/evm/evm-endpoint.ts";
import { HeadTracker } from "../../../common/chains/evm/head-tracker.ts";
import { RecentHeaders } from "../../../common/chains/evm/recent-headers.ts";
import { SharedLogs } from "../../../common/chains/evm/shared-logs.ts";
import type { EvmFamily } from "../../../common/contracts/evm-family.ts";
import { createEvmReader, type EvmReaderOptions } from "../../../common/contracts/reading/evm/evm-reader.ts";
import { REFERENCE_FAMILY } from "../../../common/contracts/reference/evm/reference-family.ts";
import { noSecondQuestions, type SecondQuestions } from "../../../common/contracts/second-questions.ts";
import type { Snapshot } from "../../../common/contracts/source-snapshot.ts";
import { ModelStore } from "../models/model-store.ts";
import { FakeEvmChain, OTHER_TOKEN, rowLog, type SaleRow, saleRows, TOKEN, TWIN } from "./evm-chain.ts";
import { CHAIN_ID, CONTRACT, EvmNode, type NodeBehaviour } from "./evm-node.ts";
import { SALE_UUID } from "./evm-sale-abi.ts";

/** A clock that moves only on command, and during waits. */
export class ManualClock {
  #millis = 0;
  readonly now = (): number => this.#millis;
  readonly delay = async (millis: number): Promise<void> => this.advance(millis);

  advance(millis: number): void {
    this.#millis += millis;
  }
}

export function evmChain(urls: readonly string[], change: Partial<EvmChain> = {}): EvmChain {
  return {
    family: "evm",
    name: "fake",
    chainId: CHAIN_ID,
    coinSymbol: "ETH",
    urls,
    confirmations: 0,
    pollIntervalMs: 0,
    maxConcurrency: 8,
    chunkRows: 100,
    sweepIntervalMs: 600_000,
    maxCommitments: 1_000_000,
    maxHeadLag: 10,
    requestTimeoutMs: 5000,
    ...change,
  };
}

interface FixtureOptions {
  readonly change?: Partial<EvmChain>;
  readonly family?: EvmFamily;
  readonly options?: EvmReaderOptions;
}

/** A reader of a fake chain, with the store that it fills. */
export class ReaderFixture implements AsyncDisposable {
  readonly chain: FakeEvmChain;
  readonly clock = new ManualClock();
  readonly store = new ModelStore([TOKEN, OTHER_TOKEN]);
  readonly node: EvmNode;
  /** The second URL, if there is one. */
  readonly other: EvmNode | undefined;
  readonly signal = new AbortController().signal;
  readonly #config: EvmChain;
  readonly #family: EvmFamily;
  #options: EvmReaderOptions;
  reader: ReturnType<typeof createEvmReader>;

  private constructor(
    nodes: readonly [EvmNode, EvmNode?],
    chain: FakeEvmChain,
    { change = {}, family = REFERENCE_FAMILY, options }: FixtureOptions = {},
  ) {
    this.chain = chain;
    [this.node, this.other] = nodes;
    const urls = nodes.filter((node) => node !== undefined).map(({ url }) => url);
    this.#config = evmChain(urls, change);
    this.#family = family;
    this.#options = options ?? this.#connect();
    this.reader = createEvmReader(this.#options);
  }

  /** Makes a reader of the contract's twin, with a store of its own. Both share what the readers of a chain share. */
  twin(): ReaderFixture {
    const nodes = this.other === undefined ? ([this.node] as const) : ([this.node, this.other] as const);
    return new ReaderFixture(nodes, this.chain, { options: { ...this.#options, contract: TWIN } });
  }

  get endpoint(): EvmEndpoint {
    return this.#options.endpoint;
  }

  get secondQuestions(): SecondQuestions {
    return this.#options.secondQuestions;
  }

  get heads(): HeadTracker {
    return this.#options.heads;
  }

  #connect(): EvmReaderOptions {
    const { chunkRows, sweepIntervalMs, maxCommitments } = this.#config;
    const { now } = this.clock;
    const endpoint = new EvmEndpoint(this.#config, this.clock);
    const heads = new HeadTracker(this.#config, endpoint, now);
    const headers = new RecentHeaders(endpoint);
    const limits = { chunkRows, sweepIntervalMs, maxCommitments };
    const secondQuestions = noSecondQuestions();
    const sharedLogs = new SharedLogs({ endpoint, pollIntervalMs: 0, now });
    const times = new BlockTimes(endpoint, headers);
    const shared = { endpoint, heads, headers, times, secondQuestions, sharedLogs };
    return { ...shared, contract: CONTRACT, family: this.#family, saleUuid: SALE_UUID, ...limits, now };
  }

  /** @param family of the contract, with the calls of the reference contract. */
  static async start(
    behaviour: Partial<NodeBehaviour> = {},
    change: Partial<EvmChain> = {},
    family: EvmFamily = REFERENCE_FAMILY,
  ): Promise<ReaderFixture> {
    const chain = new FakeEvmChain();
    return new ReaderFixture([await EvmNode.start(chain, behaviour)], chain, { change, family });
  }

  /** Starts with two nodes of the same chain. */
  static async startTwo(
    behaviour: Partial<NodeBehaviour> = {},
    other: Partial<NodeBehaviour> = {},
  ): Promise<ReaderFixture> {
    const chain = new FakeEvmChain();
    return new ReaderFixture([await EvmNode.start(chain, behaviour), await EvmNode.start(chain, other)], chain);
  }

  /** Replaces the reader and all that it asks, as a restart of the process does. Only the store stays. */
  restart(): void {
    this.#options = this.#connect();
    this.reader = createEvmReader(this.#options);
  }

  /** Reads and applies a snapshot, and proves rows. If applying fails, the reader's state is invalidated, as in the indexer. */
  async read(): Promise<Snapshot | undefined> {
    const snapshot = await this.#read();
    await this.reader.prove?.(this.store, this.signal);
    return snapshot;
  }

  async #read(): Promise<Snapshot | undefined> {
    const snapshot = await this.reader.next(this.store, this.signal);
    if (snapshot === undefined) return undefined;
    try {
      await this.store.apply(snapshot);
      this.reader.applied(snapshot);
      return snapshot;
    } catch (error) {
      this.reader.invalidate();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.heads.stop();
    await this.node[Symbol.asyncDispose]();
    await this.other?.[Symbol.asyncDispose]();
  }
}

/** Expects the store to show the contract's state at the head. */
export function expectUpToDate({ store, chain }: ReaderFixture): void {
  expect(store.position).toMatchObject({ height: chain.head.number, hash: chain.head.hash });
  expect(store.visible).toEqual(chain.head.state.rows.map((row, index) => ({ ...row, sourceIndex: BigInt(index) })));
}

/** A sale of `count` rows that was read once and is known to log. */
export async function readSale(count: number, behaviour: Partial<NodeBehaviour> = {}): Promise<ReaderFixture> {
  return firstRead(await ReaderFixture.start(behaviour), count);
}

/** Mines `count` logged rows, and reads them. */
export async function firstRead(fixture: ReaderFixture, count: number): Promise<ReaderFixture> {
  const rows = saleRows(count);
  fixture.chain.mine(
    { rows },
    rows.map((row) => rowLog(row)),
  );
  await fixture.read();
  return fixture;
}

/** The row with a larger first amount. */
export function raised(row: SaleRow, by: bigint): SaleRow {
  const [first, ...others] = row.amounts;
  if (first === undefined) throw new Error("the row has no amount");
  return { ...row, amounts: [{ ...first, amount: first.amount + by }, ...others] };
}
