import { beforeEach, describe, expect, it } from "vitest";
import { Random } from "../../../services/demo/bidders/random.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { deployContinuousAuction, mineTo } from "../../support/chains/continuous-auction.ts";
import { auctionCalls, deployAuctionSale } from "../../support/chains/sale-contract.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { bidOf } from "../../support/databases/sale-rows.ts";
import { ContinuousAuctionScenario } from "../../support/families/continuous-auction-scenario.ts";
import { followFamily } from "../../support/families/family-scenario.ts";
import { ReferenceScenario } from "../../support/families/reference-scenario.ts";

const SEEDS = process.env["TEST_LONG"] === "1" ? 20 : 1;
const CHOICES = Array.from({ length: SEEDS }, (_, seed) => [
  ["1.0.0", 2 * seed] as const,
  ["1.1.0", 2 * seed + 1] as const,
]).flat();
const DEEPEST = 20;
const COMMITMENT = 1;
/** Begins and ends with blocks that issue nothing. */
const STEPS = [
  { mps: 0n, blocks: 3n },
  { mps: 200_000n, blocks: 20n },
  { mps: 400_000n, blocks: 15n },
  { mps: 0n, blocks: 2n },
];

describe.skipIf(findAnvil() === undefined)("contracts of each family (anvil)", () => {
  let anvil: Anvil;
  let chain: TestChain;

  // A chain of its own for each: anvil loses states of a long one at a re-organisation.
  beforeEach(async () => {
    anvil = await startAnvil();
    chain = await TestChain.connect(anvil);
    return () => anvil.stop();
  });

  it.each(CHOICES)(
    "have the same rows as the contract: continuous auctions, version %s (choices %i)",
    async (version, seed) => {
      const random = new Random(seed);
      const isNative = seed % 3 === 1;
      const auction = await deployContinuousAuction(chain, { version, supply: 10n ** 9n, steps: STEPS, isNative });
      await chain.mine();
      await mineTo(chain, auction.startBlock - 3n);
      const scenario = new ContinuousAuctionScenario(chain, auction, version, random);
      const kinds = await followFamily(chain, anvil, scenario, { random, rounds: 18, deepest: DEEPEST });
      // The first read, and those after each change of the stage.
      expect(kinds.sweep).toBeLessThan(12);
      expect(kinds.partial).toBeGreaterThan(20);
    },
  );

  it("have the same rows as the contract: the reference contract", async () => {
    const random = new Random(0);
    const contract = await deployAuctionSale(chain);
    await chain.send(auctionCalls.setStage(contract, COMMITMENT));
    // The first log shows that the contract logs, so that no later read has to be a sweep.
    await chain.send(auctionCalls.bid(contract, bidOf(0)));
    await chain.mine();
    const scenario = new ReferenceScenario(chain, contract, random);
    const kinds = await followFamily(chain, anvil, scenario, { random, rounds: 12, deepest: DEEPEST });
    expect(kinds.sweep).toBe(1);
    expect(kinds.partial).toBeGreaterThan(10);
  });
});
