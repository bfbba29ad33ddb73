import { describe, expect, it } from "vitest";
import { commitment, commitments, USDX } from "../../../../services/indexer/testing/samples.ts";
import { ManualClock } from "../../../../test/support/chains/evm-reader-fixture.ts";
import { ModelStore } from "../../../../test/support/models/model-store.ts";
import type { IndexRange } from "../../contract-facts.ts";
import type { SourceCommitment } from "../../source-commitment.ts";
import { ForkProof } from "./forks.ts";

const STEP_ROWS = 200;
const STEP_MS = 50;

/** A store and a contract with the same rows, and a proof that has begun. */
class ProofFixture {
  readonly clock = new ManualClock();
  readonly proof = new ForkProof(this.clock.now);
  readonly store = new ModelStore([USDX]);
  readonly asked: bigint[] = [];
  readonly contract: SourceCommitment[];
  /** Answers instead of the contract's next ones. */
  readonly wrongAnswers: SourceCommitment[][] = [];

  constructor(rows: number) {
    this.contract = commitments(rows);
    for (const row of this.contract) this.store.rows.set(row.commitmentId, row);
    this.proof.begin();
  }

  run(mustStop = () => false): Promise<boolean> {
    const rows = async ({ from, to }: IndexRange) => {
      this.clock.advance(STEP_MS);
      this.asked.push(from);
      return this.wrongAnswers.shift() ?? this.contract.slice(Number(from), Number(to));
    };
    const count = BigInt(this.contract.length);
    const step = { rows: { rows }, stored: this.store, count, signal: new AbortController().signal };
    return this.proof.run(step, mustStop);
  }
}

describe("ForkProof", () => {
  it("works in runs of four steps, and rests nine times as long", async () => {
    const fixture = new ProofFixture(7 * STEP_ROWS);
    const { proof, clock, asked } = fixture;
    expect([await fixture.run(), asked.length, proof.isDue()]).toEqual([true, 4, false]);
    clock.advance(9 * 4 * STEP_MS - 1);
    expect(proof.isDue()).toBe(false);
    clock.advance(1);
    expect(proof.isDue()).toBe(true);
    expect(await fixture.run()).toBe(true);
    expect(asked).toEqual([0n, 200n, 400n, 600n, 800n, 1000n, 1200n]);
    clock.advance(1_000_000);
    expect(proof.isDue()).toBe(false);
  });

  it("stops after a step if a read is waiting, and continues there", async () => {
    const fixture = new ProofFixture(3 * STEP_ROWS);
    await fixture.run(() => fixture.asked.length === 1);
    await fixture.run();
    expect(fixture.asked).toEqual([0n, 200n, 400n]);
  });

  it.each<[string, (fixture: ProofFixture) => void]>([
    ["a changed row", ({ contract }) => void contract.splice(450, 1, commitment(450, { lockup: true }))],
    ["a row at another index", ({ contract }) => void contract.splice(450, 1, commitment(450, { sourceIndex: 451n }))],
    ["a row that isn't stored", ({ contract }) => void contract.push(commitment(3 * STEP_ROWS))],
    ["a stored row that the contract doesn't have", ({ contract }) => void contract.pop()],
  ])("finds %s, asks again, and no longer trusts forks", async (_, change) => {
    const fixture = new ProofFixture(3 * STEP_ROWS);
    change(fixture);
    expect([await fixture.run(), fixture.proof.trustsForks, fixture.proof.isDue()]).toEqual([false, false, false]);
    expect(fixture.asked.at(-1)).toBe(fixture.asked.at(-2));
  });

  it("believes no single wrong answer of a node", async () => {
    const fixture = new ProofFixture(STEP_ROWS);
    fixture.wrongAnswers.push(fixture.contract.toReversed());
    expect(await fixture.run()).toBe(true);
    expect(fixture.proof.trustsForks).toBe(true);
  });
});
