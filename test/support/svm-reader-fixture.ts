import { expect } from "vitest";
import type { SvmChain } from "../../services/indexer/chains/chain.ts";
import type { Snapshot, SourceCommitment, SourceReader } from "../../services/indexer/source/source-reader.ts";
import { FailoverTransport, type TransportOptions } from "../../services/indexer/svm/nodes/failover-transport.ts";
import { createSvmRpc } from "../../services/indexer/svm/nodes/svm-rpc.ts";
import { createSvmReader } from "../../services/indexer/svm/svm-reader.ts";
import { ModelStore } from "./model-store.ts";
import { type SvmFault, SvmNode } from "./svm-node.ts";
import { type ExpectedRow, expectedRows, type SvmEntity, svmAddress } from "./svm-sale.ts";

export const SVM_SALE_UUID = "0189abcd-ef01-7234-8567-89abcdef0123";
export const SVM_MINT = svmAddress("mint");

const neverAborted = new AbortController().signal;

export function svmChain(node: SvmNode, change: Partial<SvmChain> = {}): SvmChain {
  return {
    kind: "svm",
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

/** A bid of 1,000 from one wallet, unless told otherwise. */
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

/** A read row in the form in which `expectedRows` gives it. */
export function shownRow(row: SourceCommitment): ExpectedRow {
  const { commitmentId, createdAtSeconds, priceTicks, lockup, refunded } = row;
  const amounts = row.amounts.map(({ wallet, amount }) => [wallet, amount] as const).sort();
  return { commitmentId, createdAtSeconds, priceTicks, lockup, refunded, amounts: Object.fromEntries(amounts) };
}

export function sortedById<Row extends { readonly commitmentId: string }>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (a.commitmentId < b.commitmentId ? -1 : 1));
}

/** A reader of a node's sale and the store that it fills. Nothing waits. */
export class SvmReaderFixture implements AsyncDisposable {
  readonly node: SvmNode;
  readonly store = new ModelStore([SVM_MINT]);
  /** The reader's clock: it goes when somebody waits, or is told to. In milliseconds. */
  millis = 0;
  reader: SourceReader;
  readonly #chain: SvmChain;
  readonly #maxHeldRows: number | undefined;

  private constructor(node: SvmNode, chain: SvmChain, maxHeldRows: number | undefined) {
    this.node = node;
    this.#chain = chain;
    this.#maxHeldRows = maxHeldRows;
    this.reader = this.newReader();
  }

  static async start(
    options: { maxHeldRows?: number; chain?: (node: SvmNode) => Partial<SvmChain> } = {},
  ): Promise<SvmReaderFixture> {
    const node = await SvmNode.start(SVM_SALE_UUID);
    return new SvmReaderFixture(node, svmChain(node, options.chain?.(node)), options.maxHeldRows);
  }

  /** As after a take-over by another process. */
  newReader(): SourceReader {
    const transport: TransportOptions = {
      now: () => this.millis,
      // Slots go on while somebody waits.
      wait: async (millis) => {
        this.millis += millis;
        this.node.advance();
      },
    };
    return createSvmReader({
      chain: this.#chain,
      target: { saleUuid: SVM_SALE_UUID, address: this.node.saleAccount },
      rpc: createSvmRpc(new FailoverTransport(this.#chain, transport)),
      ...(this.#maxHeldRows === undefined ? {} : { maxHeldRows: this.#maxHeldRows }),
    });
  }

  /** Reads and applies as the indexer does. */
  async read(): Promise<Snapshot | undefined> {
    try {
      const snapshot = await this.reader.next(this.store, neverAborted);
      if (snapshot !== undefined) {
        await this.store.apply(snapshot);
        this.reader.applied(snapshot);
      }
      return snapshot;
    } catch (error) {
      this.reader.invalidate();
      throw error;
    }
  }

  /** What users see. */
  get shown(): readonly ExpectedRow[] {
    return sortedById(this.store.visible.map(shownRow));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.node.stop();
  }
}

/** The store shows what the sale has now. The position may be a slot at which it had the same. */
export function expectInStep({ store, node, shown }: SvmReaderFixture): void {
  const state = node.states.find(({ slot }) => BigInt(slot) === store.position?.height);
  expect(shown).toEqual(expectedRows(node.state));
  expect(state && expectedRows(state)).toEqual(shown);
}

/** The next slot, with that bid of an entity. */
export function bid(node: SvmNode, entity: number, change: Partial<SvmEntity> = {}): void {
  node.advance(({ entities }) => entities.set(svmEntityId(entity), svmEntity(change)));
}

/** That many wallets, which hold 1, 2, 3, … */
export function wallets(count: number): Map<string, bigint> {
  return new Map(Array.from({ length: count }, (_, index) => [svmAddress(`wallet ${index}`), BigInt(index + 1)]));
}

/** A sale that was read once, with entities 2, 4, 6, … */
export async function readSale(entities: number, options: { maxHeldRows?: number } = {}): Promise<SvmReaderFixture> {
  const fixture = await SvmReaderFixture.start(options);
  fixture.node.advance((state) => {
    for (let id = 1; id <= entities; id += 1) state.entities.set(svmEntityId(2 * id), svmEntity({ price: BigInt(id) }));
  });
  await fixture.read();
  return fixture;
}

/** Makes the n-th of the coming answers to a method faulty, or runs something before it. */
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
