import { expect } from "vitest";
import type { SvmChain } from "../../../common/chains/base/chain.ts";
import { FailoverTransport, type TransportOptions } from "../../../common/chains/svm/failover-transport.ts";
import { SharedAccounts } from "../../../common/chains/svm/shared-accounts.ts";
import { createSvmRpc } from "../../../common/chains/svm/svm-rpc.ts";
import { createSvmReader } from "../../../common/contracts/reading/svm/svm-reader.ts";
import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import type { SourceReader } from "../../../common/contracts/source-reader.ts";
import type { Snapshot } from "../../../common/contracts/source-snapshot.ts";
import { ModelStore } from "../models/model-store.ts";
import { type SvmFault, SvmNode } from "./svm-node.ts";
import { type ExpectedRow, expectedRows, type SvmEntity, svmAddress } from "./svm-sale.ts";

export const SVM_SALE_UUID = "0189abcd-ef01-7234-8567-89abcdef0123";
export const SVM_MINT = svmAddress("mint");

const neverAborted = new AbortController().signal;

export function svmChain(node: SvmNode, change: Partial<SvmChain> = {}): SvmChain {
  return {
    family: "svm",
    name: "solana",
    program: node.program,
    urls: [node.url],
    commitment: "confirmed",
    pollIntervalMs: 0,
    maxConcurrency: 8,
    maxHeadLag: 50,
    requestTimeoutMs: 5_000,
    ...change,
  };
}

/** An entity ID that ends in a number. */
export function svmEntityId(number: number): string {
  return number.toString(16).padStart(32, "0");
}

/** A bid, by default of 1,000 from one wallet. */
export function svmEntity(change: Partial<SvmEntity> = {}): SvmEntity {
  return {
    price: 10n,
    timestamp: 1_769_860_800n,
    lockup: false,
    refunded: false,
    wallets: new Map([[svmAddress("wallet 1"), 1_000n]]),
    ...change,
  };
}

/** A row from a reader, in the form of `expectedRows`. */
export function shownRow(row: SourceCommitment): ExpectedRow {
  const { commitmentId, createdAtSeconds, priceTicks, lockup, refunded } = row;
  const { amounts, accepted = [] } = row;
  const shown = { commitmentId, createdAtSeconds, priceTicks, lockup, refunded };
  return { ...shown, amounts: byWallet(amounts), accepted: byWallet(accepted) };
}

function byWallet(amounts: SourceCommitment["amounts"]): Readonly<Record<string, bigint>> {
  return Object.fromEntries(amounts.map(({ wallet, amount }) => [wallet, amount] as const).sort());
}

export function sortedById<Row extends { readonly commitmentId: string }>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (a.commitmentId < b.commitmentId ? -1 : 1));
}

/** A reader of a node's sale, with the store that it fills. It never waits. */
export class SvmReaderFixture implements AsyncDisposable {
  readonly node: SvmNode;
  /** Another node of the chain, whose URL comes second; absent unless asked for. */
  readonly peer: SvmNode | undefined;
  readonly store = new ModelStore([SVM_MINT]);
  /** The reader's clock in milliseconds. It moves on command, and during waits. */
  millis = 0;
  reader: SourceReader;
  readonly #chain: SvmChain;
  readonly #maxHeldRows: number | undefined;

  private constructor(node: SvmNode, peer: SvmNode | undefined, chain: SvmChain, maxHeldRows: number | undefined) {
    this.node = node;
    this.peer = peer;
    this.#chain = chain;
    this.#maxHeldRows = maxHeldRows;
    this.reader = this.newReader();
  }

  static async start(
    options: { maxHeldRows?: number; hasPeer?: boolean; chain?: (node: SvmNode) => Partial<SvmChain> } = {},
  ): Promise<SvmReaderFixture> {
    const node = await SvmNode.start(SVM_SALE_UUID);
    const peer = options.hasPeer === true ? await node.startPeer() : undefined;
    const urls = [node, peer].flatMap((each) => each?.url ?? []);
    const chain = svmChain(node, { urls, ...options.chain?.(node) });
    return new SvmReaderFixture(node, peer, chain, options.maxHeldRows);
  }

  /** Makes another reader of the sale, with a store of its own. Both share what the readers of a chain share. */
  twin(): SvmReaderFixture {
    const twin = new SvmReaderFixture(this.node, this.peer, this.#chain, this.#maxHeldRows);
    const connection = this.#connect();
    this.reader = this.newReader(connection);
    twin.reader = twin.newReader(connection);
    return twin;
  }

  #connect() {
    const transport: TransportOptions = {
      now: () => this.millis,
      // Slots advance during waits.
      wait: async (millis) => {
        this.millis += millis;
        this.node.advance();
      },
    };
    const failover = new FailoverTransport(this.#chain, transport);
    const rpc = createSvmRpc(failover);
    return { failover, rpc, sharedAccounts: new SharedAccounts(this.#chain, rpc, () => this.millis) };
  }

  /** Makes a reader, as when another process takes over. */
  newReader({ failover, rpc, sharedAccounts } = this.#connect()): SourceReader {
    return createSvmReader({
      chain: this.#chain,
      target: { saleUuid: SVM_SALE_UUID, address: this.node.saleAccount },
      rpc,
      sharedAccounts,
      confirmCluster: (used, signal) => failover.confirmCluster(used, signal),
      ...(this.#maxHeldRows === undefined ? {} : { maxHeldRows: this.#maxHeldRows }),
    });
  }

  /** Reads and applies as the indexer does: it drops the reader's state only where a snapshot couldn't be applied. */
  async read(): Promise<Snapshot | undefined> {
    const snapshot = await this.reader.next(this.store, neverAborted);
    if (snapshot === undefined) return undefined;
    try {
      await this.store.apply(snapshot);
    } catch (error) {
      this.reader.invalidate();
      throw error;
    }
    this.reader.applied(snapshot);
    return snapshot;
  }

  /** The rows that users see. */
  get shown(): readonly ExpectedRow[] {
    return sortedById(this.store.visible.map(shownRow));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.node.stop(), this.peer?.stop()]);
  }
}

/** Expects the store to show the sale's current state. Its position may be any slot with the same state. */
export function expectUpToDate({ store, node, shown }: SvmReaderFixture): void {
  const state = node.states.find(({ slot }) => BigInt(slot) === store.position?.height);
  expect(shown).toEqual(expectedRows(node.state));
  expect(state && expectedRows(state)).toEqual(shown);
}

/** Advances to the next slot, with a bid of an entity. */
export function bid(node: SvmNode, entity: number, change: Partial<SvmEntity> = {}): void {
  node.advance(({ entities }) => entities.set(svmEntityId(entity), svmEntity(change)));
}

/** Wallets with amounts 1, 2, 3, … */
export function wallets(count: number): Map<string, bigint> {
  return new Map(Array.from({ length: count }, (_, index) => [svmAddress(`wallet ${index}`), BigInt(index + 1)]));
}

/** A sale with entities 2, 4, 6, … that was read once. */
export async function readSale(
  entities: number,
  options: Parameters<typeof SvmReaderFixture.start>[0] = {},
): Promise<SvmReaderFixture> {
  const fixture = await SvmReaderFixture.start(options);
  fixture.node.advance((state) => {
    for (let id = 1; id <= entities; id += 1) state.entities.set(svmEntityId(2 * id), svmEntity({ price: BigInt(id) }));
  });
  await fixture.read();
  return fixture;
}

/** Makes the n-th next answer to a method faulty, or runs a function before it. */
export function onAnswer(node: SvmNode, method: string, turn: number, what: SvmFault | (() => void)): void {
  let left = turn;
  node.beforeAnswer = (asked) => {
    if (asked !== method) return undefined;
    left -= 1;
    if (left !== 0) return undefined;
    if (typeof what === "string") return what;
    what();
    return undefined;
  };
}
