import { SourceFault } from "../base/source-fault.ts";
import type { SourcePosition } from "../base/source-position.ts";
import type { Block } from "./block.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import {
  decideFinality,
  type FinalityClaim,
  type FinalityDecision,
  type FinalityVerdict,
  finalityQuorum,
  isStillFinal,
} from "./finality.ts";
import { readBlock } from "./read-block.ts";
import type { RpcUrl } from "./rpc-url.ts";

/** Successive reads without a confirmation that are no fault yet: a node behind a balancer may lag, or not answer once. */
const PATIENT_READS = 4;

/** Time for which a contradicted position counts that no sale asks about any more: readers of a sale with a fault ask each minute or sooner. */
const CONTRADICTION_MS = 5 * 60_000;

/** A URL as a witness of what is final. */
interface Witness {
  readonly url: RpcUrl;
  /** The block that it called final when it was last believed. */
  earlier?: Block;
  /** Hashes of its blocks by height, as of a block that it called final. */
  known: { readonly of: string; readonly hashes: Map<bigint, string> };
  verdict: FinalityVerdict;
  /** Why it said nothing; absent if it did. */
  silence?: string;
}

/** The final blocks of a chain, by the word of all its URLs (see `decideFinality`). */
export class FinalBlocks {
  readonly #endpoint: EvmEndpoint;
  readonly #chain: string;
  readonly #witnesses: readonly Witness[];
  #kept: Block | undefined;
  /** Whether a position that was read as final, perhaps by an earlier process, holds. Until then URLs may have been wrong from the start. */
  #isAnchored = false;
  #unconfirmedReads = 0;
  #isContradicted = false;
  /** Times at which positions that were read as final, by their hash, were last found to be contradicted. */
  readonly #contradictedAt = new Map<string, number>();
  readonly #now: () => number;

  /** @param chain its name, for texts. @param now milliseconds of a monotonic clock. */
  constructor(endpoint: EvmEndpoint, chain: string, now: () => number) {
    this.#endpoint = endpoint;
    this.#chain = chain;
    this.#now = now;
    this.#witnesses = endpoint.urls.map((url) => ({
      url,
      known: { of: "", hashes: new Map() },
      verdict: "silent",
    }));
  }

  /** Whether URLs contradict what was read as final, so many that nobody can know which of them is right. */
  get isContradicted(): boolean {
    // A sale that still has such a position asks again and again.
    const since = this.#now() - CONTRADICTION_MS;
    for (const [hash, at] of this.#contradictedAt) if (at < since) this.#contradictedAt.delete(hash);
    return this.#isContradicted || this.#contradictedAt.size > 0;
  }

  /** The problem of each URL, in their order; undefined for one that is believed. */
  problems(): readonly (string | undefined)[] {
    return this.#witnesses.map(({ url: { host }, verdict }) => {
      if (verdict === "taken back") return `${host} has taken back a block that it called final`;
      if (verdict === "contradicts")
        return `${host} calls another block final than the other nodes, or than itself before`;
      return undefined;
    });
  }

  /**
   * The newest final block, never older than an earlier result.
   *
   * @throws SourceFault if URLs contradict what is final, or too few have confirmed anything for some reads; the signal's reason.
   */
  async read(signal: AbortSignal): Promise<Block> {
    const claims = await this.#claims(signal);
    signal.throwIfAborted();
    const decision = decideFinality(claims, this.#kept);
    this.#judge(decision, claims);
    if (decision.isContradicted) throw this.#contradicted(this.#kept?.number ?? 0n);
    if (decision.confirmed !== undefined) {
      this.#unconfirmedReads = 0;
      this.#kept = decision.confirmed;
      return decision.confirmed;
    }
    this.#unconfirmedReads += 1;
    // One of the hashes may have been a wrong answer.
    for (const witness of this.#witnesses) witness.known = { of: "", hashes: new Map() };
    if (this.#kept === undefined || this.#unconfirmedReads > PATIENT_READS) throw this.#unconfirmed();
    return this.#kept;
  }

  /**
   * Checks a position that was read as final, perhaps by an earlier process.
   *
   * @throws SourceFault unless enough URLs still have it; the signal's reason.
   */
  async check({ height, hash }: SourcePosition, signal: AbortSignal): Promise<void> {
    const hashes = await Promise.all(this.#witnesses.map(({ url }) => this.#hashAt(url, height, signal)));
    signal.throwIfAborted();
    const isFinal = isStillFinal(hashes, { hash });
    if (isFinal !== undefined) this.#forgetUnanchored();
    if (isFinal === true) {
      this.#isAnchored = true;
      this.#contradictedAt.delete(hash);
    }
    if (isFinal === false) {
      this.#contradictedAt.set(hash, this.#now());
      throw this.#contradicted(height);
    }
    if (isFinal === undefined) {
      const problem = `too few of its URLs have block ${height}, which was read as final`;
      throw new SourceFault(`chain ${this.#chain}: ${problem}`, { remedy: "wait", isOfNodes: true });
    }
  }

  /** Begins anew, unless a position that was read as final was checked before. */
  #forgetUnanchored(): void {
    if (this.#isAnchored) return;
    this.#kept = undefined;
    for (const witness of this.#witnesses) {
      delete witness.earlier;
      witness.url.recheck();
    }
  }

  async #claims(signal: AbortSignal): Promise<readonly FinalityClaim<Block>[]> {
    const resting = this.#resting();
    const claimed = await Promise.all(
      this.#witnesses.map(async (witness) => (resting.has(witness) ? undefined : this.#claim(witness, signal))),
    );
    const heights = [this.#kept, ...claimed].flatMap((block) => block?.number ?? []);
    return Promise.all(
      this.#witnesses.map(async (witness, index) => {
        const block = claimed[index];
        const { earlier } = witness;
        const before = earlier === undefined ? {} : { earlier };
        if (block === undefined) return { ...before, hashes: new Map<bigint, string>() };
        const hashes = await this.#hashes(witness, block, [...heights, ...(earlier ? [earlier.number] : [])], signal);
        return { claimed: block, ...before, hashes };
      }),
    );
  }

  /** URLs that failed recently, and that needn't be waited for because enough others are left. */
  #resting(): ReadonlySet<Witness> {
    const resting = this.#witnesses.filter(({ url }) => this.#endpoint.isBackingOff(url, "eth_getBlockByNumber"));
    const isEnough = this.#witnesses.length - resting.length >= finalityQuorum(this.#witnesses.length);
    return new Set(isEnough ? resting : []);
  }

  async #claim(witness: Witness, signal: AbortSignal): Promise<Block | undefined> {
    const { url } = witness;
    delete witness.silence;
    try {
      const block = await readBlock(this.#endpoint, "finalized", signal, { only: url, rounds: 1 });
      if (block === undefined) witness.silence = `${url.host}: it has no block finalized yet`;
      return block;
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      witness.silence = error.message;
      return undefined;
    }
  }

  /** The hashes that a URL has at these heights. Those below a block don't change as long as it calls that one final. */
  async #hashes(witness: Witness, claimed: Block, heights: readonly bigint[], signal: AbortSignal) {
    if (witness.known.of !== claimed.hash) witness.known = { of: claimed.hash, hashes: new Map() };
    const { hashes } = witness.known;
    const missing = new Set(heights.filter((height) => height <= claimed.number && !hashes.has(height)));
    await Promise.all(
      [...missing].map(async (height) => {
        const hash = await this.#hashAt(witness.url, height, signal);
        if (hash !== undefined) hashes.set(height, hash);
      }),
    );
    return hashes;
  }

  async #hashAt(url: RpcUrl, height: bigint, signal: AbortSignal): Promise<string | undefined> {
    try {
      return (await readBlock(this.#endpoint, height, signal, { only: url, rounds: 1 }))?.hash;
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      return undefined;
    }
  }

  #judge(
    { verdicts, isContradicted, confirmed }: FinalityDecision<Block>,
    claims: readonly FinalityClaim<Block>[],
  ): void {
    this.#isContradicted = isContradicted;
    const final = confirmed ?? this.#kept;
    this.#witnesses.forEach((witness, index) => {
      const [verdict, claimed] = [verdicts[index] ?? "silent", claims[index]?.claimed];
      witness.verdict = verdict;
      const isBelieved = verdict === "sound" || verdict === "behind";
      // What nobody else has confirmed may change: held against the URL, it would leave too few URLs for good.
      const isConfirmed = claimed !== undefined && final !== undefined && claimed.number <= final.number;
      if (isBelieved && isConfirmed) witness.earlier = claimed;
      // Another chain may be behind it. Its next blocks may be other ones as well.
      if (verdict !== "taken back" && verdict !== "contradicts") return;
      witness.known = { of: "", hashes: new Map() };
      witness.url.recheck();
    });
  }

  #contradicted(height: bigint): SourceFault {
    const problem = `its URLs now have another block ${height} than the one that was read as final, so the figures stay as they are`;
    const advice = "the operator must find out which nodes follow the right chain";
    return new SourceFault(`chain ${this.#chain}: ${problem}: ${advice}`, { remedy: "mend", isOfNodes: true });
  }

  #unconfirmed(): SourceFault {
    const quorum = finalityQuorum(this.#witnesses.length);
    const reasons = this.problems().map((problem, index) => {
      const witness = this.#witnesses[index];
      return (
        problem ?? witness?.silence ?? (witness?.verdict === "behind" ? `${witness.url.host} is behind` : undefined)
      );
    });
    const text = reasons.filter((reason) => reason !== undefined).join("; ") || "they are too far apart";
    const problem = `no final block is confirmed by ${quorum} of its ${this.#witnesses.length} URLs`;
    return new SourceFault(`chain ${this.#chain}: ${problem}: ${text}`, { remedy: "wait", isOfNodes: true });
  }
}
