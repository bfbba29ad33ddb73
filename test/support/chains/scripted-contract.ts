import { SourceFault } from "../../../common/chains/base/source-fault.ts";
import type { SourcePosition } from "../../../common/chains/base/source-position.ts";
import type { ChainConnection } from "../../../common/contracts/chain-connection.ts";
import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import type { SourceReader, StoredSale } from "../../../common/contracts/source-reader.ts";
import type { Difference, Snapshot } from "../../../common/contracts/source-snapshot.ts";
import { commitmentDigest } from "../../../common/sale/record/commitment-digest.ts";
import type { SaleStage } from "../../../common/sale/state/stage.ts";

const POLL_INTERVAL_MS = 20;
const ROWS_PER_DIFFERENCE = 2;
const BLOCKS_BEHIND = 2n;
const END_OF_INDEXES = 2n ** 63n - 1n;

/** A sale contract in memory, with switches for faults. */
export class ScriptedContract {
  #rows: readonly SourceCommitment[] = [];
  #position: SourcePosition = { height: 100n, hash: "00" };
  stage: SaleStage = "commitment";
  /** Error of every read, if set. */
  fault: SourceFault | undefined;
  /** Number of rows after which the differences fail, if set. */
  tornAfter = Number.POSITIVE_INFINITY;
  /** Promise for which a snapshot waits after its first difference, if set. */
  gate: Promise<void> = Promise.resolve();
  sweepsBegun = 0;

  get rows(): readonly SourceCommitment[] {
    return this.#rows;
  }

  get position(): SourcePosition {
    return this.#position;
  }

  /** Adds a block with these rows, in this order; below the last block if the chain is re-organised. */
  mine(rows: readonly SourceCommitment[], height = this.#position.height + 1n): void {
    this.#rows = rows.map((row, index) => ({ ...row, sourceIndex: BigInt(index) }));
    const number = Number(`0x${this.#position.hash}`) + 1;
    this.#position = { height, hash: number.toString(16).padStart(2, "0") };
  }
}

/** A connection to a chain with only this contract. */
export class ScriptedChain implements ChainConnection {
  readonly pollIntervalMs = POLL_INTERVAL_MS;
  readonly #contract: ScriptedContract;
  /** Number of reads of the contract by this connection. */
  reads = 0;

  constructor(contract: ScriptedContract) {
    this.#contract = contract;
  }

  createReader(): SourceReader {
    return new ScriptedReader(this.#contract, () => {
      this.reads += 1;
    });
  }

  onHead() {
    return () => {};
  }

  nodeHeads() {
    return [];
  }

  check() {
    return Promise.reject(new Error("not part of this test"));
  }

  async checkTokens() {
    return [];
  }

  async checkSigner() {
    return {};
  }

  async checkFinality() {
    return undefined;
  }

  async close() {}
}

/** The known state of the store. */
interface Known {
  readonly hash: string;
  readonly ids: readonly string[];
}

/** Sweeps by digests at first and after `invalidate`; else compares the records of old and new rows. */
class ScriptedReader implements SourceReader {
  readonly #contract: ScriptedContract;
  readonly #onLook: () => void;
  #known: Known | undefined;
  #read: Known | undefined;
  #upToDateAt: SourcePosition | undefined;

  constructor(contract: ScriptedContract, onLook: () => void) {
    this.#contract = contract;
    this.#onLook = onLook;
  }

  upToDateAt(): SourcePosition | undefined {
    return this.#upToDateAt;
  }

  restMs(): number {
    return 0;
  }

  headHeight(): bigint {
    return this.#contract.position.height + BLOCKS_BEHIND;
  }

  async next(stored: StoredSale): Promise<Snapshot | undefined> {
    this.#onLook();
    const { fault, rows, position, stage } = this.#contract;
    if (fault !== undefined) throw fault;
    refuseUnknownTokens(rows, stored.paymentTokens);
    const known = this.#known;
    this.#upToDateAt = known?.hash === position.hash ? position : undefined;
    if (this.#upToDateAt !== undefined) return undefined;
    if (known === undefined) this.#contract.sweepsBegun += 1;
    this.#read = { hash: position.hash, ids: rows.map(({ commitmentId }) => commitmentId) };
    const progress = { rows: 0 };
    return {
      position,
      stage,
      headHeight: position.height + BLOCKS_BEHIND,
      kind: known === undefined ? "sweep" : "partial",
      count: BigInt(rows.length),
      differences: this.#differences(
        rows,
        known === undefined ? digests(stored) : records(stored, known, rows),
        progress,
      ),
      rowsRead: () => BigInt(progress.rows),
      warning: () => undefined,
    };
  }

  applied(): void {
    this.#known = this.#read;
  }

  invalidate(): void {
    this.#known = undefined;
  }

  async *#differences(
    rows: readonly SourceCommitment[],
    stored: Promise<ReadonlyMap<string, string>>,
    progress: { rows: number },
  ): AsyncGenerator<Difference> {
    const digestsById = await stored;
    for (let from = 0; from < rows.length; from += ROWS_PER_DIFFERENCE) {
      const chunk = rows.slice(from, from + ROWS_PER_DIFFERENCE);
      yield { upserts: chunk.filter((row) => digestsById.get(row.commitmentId) !== placedDigest(row)), removals: [] };
      progress.rows += chunk.length;
      await this.#contract.gate;
      if (progress.rows >= this.#contract.tornAfter) {
        throw new SourceFault("the contract changed while it was read", { remedy: "wait" });
      }
    }
    const listed = new Set(rows.map(({ commitmentId }) => commitmentId));
    yield { upserts: [], removals: [...digestsById.keys()].filter((id) => !listed.has(id)) };
  }
}

function refuseUnknownTokens(rows: readonly SourceCommitment[], paymentTokens: readonly string[]): void {
  const unknown = rows.flatMap(({ amounts }) => amounts).find(({ token }) => !paymentTokens.includes(token));
  if (unknown) throw new SourceFault(`add the payment token ${unknown.token} to the sale`, { remedy: "mend" });
}

/** Digest and index by commitment ID. */
async function digests(stored: StoredSale): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const { commitmentId, sourceIndex, digest } of stored.digests(0n, END_OF_INDEXES)) {
    found.set(commitmentId, `${sourceIndex}:${digest}`);
  }
  return found;
}

async function records(stored: StoredSale, known: Known, rows: readonly SourceCommitment[]) {
  const ids = new Set([...known.ids, ...rows.map(({ commitmentId }) => commitmentId)]);
  const found = await stored.records([...ids]);
  return new Map(found.map((row) => [row.commitmentId, placedDigest(row)]));
}

function placedDigest(row: SourceCommitment): string {
  return `${row.sourceIndex}:${commitmentDigest(row)}`;
}
