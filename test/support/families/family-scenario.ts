import { type Address, hexToBytes } from "viem";
import { expect } from "vitest";
import { BlockTimes } from "../../../common/chains/evm/block-times.ts";
import { EvmEndpoint } from "../../../common/chains/evm/evm-endpoint.ts";
import { HeadTracker } from "../../../common/chains/evm/head-tracker.ts";
import { RecentHeaders } from "../../../common/chains/evm/recent-headers.ts";
import type { EvmFamily } from "../../../common/contracts/evm-family.ts";
import { createEvmReader } from "../../../common/contracts/reading/evm/evm-reader.ts";
import { noSecondQuestions } from "../../../common/contracts/second-questions.ts";
import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import type { SourceReader } from "../../../common/contracts/source-reader.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { Random } from "../../../services/demo/bidders/random.ts";
import type { Anvil } from "../chains/anvil.ts";
import { evmChain } from "../chains/evm-reader-fixture.ts";
import { SALE_UUID } from "../chains/sale-contract.ts";
import type { ContractCall, TestChain } from "../chains/test-chain.ts";
import { ModelStore } from "../models/model-store.ts";

/** A contract of a family on a test chain, and random calls of it. */
export interface FamilyScenario {
  readonly family: EvmFamily;
  readonly contract: Address;
  readonly paymentTokens: readonly string[];
  /** Calls for the next block. None reverts. */
  calls(): Promise<readonly ContractCall[]>;
  /** Calls for each of the blocks that replace the newest ones. Some may revert. */
  replacements(depth: number): Promise<readonly (readonly ContractCall[])[]>;
  /** Reads the rows at a height as simply as can be: without ranges, logs and memory. */
  rows(height: bigint): Promise<readonly SourceCommitment[]>;
  /** Expects the contract to draw the same from the rows of the newest block as we do. */
  expectAgreement(rows: readonly SourceCommitment[]): Promise<void>;
}

/** Random blocks and re-organisations. */
export interface ScenarioRun {
  readonly random: Random;
  readonly rounds: number;
  /** Most blocks that are replaced at once. */
  readonly deepest: number;
}

const signal = new AbortController().signal;

/** A reader of a scenario's contract, with the store that it fills. */
class Follower {
  readonly #chain: TestChain;
  readonly #scenario: FamilyScenario;
  readonly #store: ModelStore;
  readonly #reader: SourceReader;
  readonly #heads: HeadTracker;
  readonly kinds = { sweep: 0, partial: 0 };

  constructor(chain: TestChain, anvil: Pick<Anvil, "url" | "chainId">, scenario: FamilyScenario) {
    const config = evmChain([anvil.url], { chainId: anvil.chainId });
    const { chunkRows, sweepIntervalMs, maxCommitments } = config;
    const now = () => performance.now();
    const endpoint = new EvmEndpoint(config, { now });
    this.#chain = chain;
    this.#scenario = scenario;
    this.#store = new ModelStore(scenario.paymentTokens);
    this.#heads = new HeadTracker(config, endpoint, now);
    this.#reader = createEvmReader({
      ...{
        endpoint,
        heads: this.#heads,
        headers: new RecentHeaders(endpoint),
        times: new BlockTimes(endpoint),
        secondQuestions: noSecondQuestions(),
      },
      ...{ chunkRows, sweepIntervalMs, maxCommitments, now },
      contract: scenario.contract.toLowerCase(),
      family: scenario.family,
      saleUuid: uuidFromBytes(hexToBytes(SALE_UUID)),
    });
  }

  /** Reads until the store has the newest block, and compares it with the contract after each read. */
  async read(): Promise<void> {
    const head = await this.#chain.client.getBlock({ blockTag: "latest" });
    while (this.#store.position?.hash !== head.hash?.slice(2)) {
      const snapshot = await this.#reader.next(this.#store, signal);
      if (snapshot === undefined) continue;
      await this.#store.apply(snapshot);
      this.#reader.applied(snapshot);
      this.kinds[snapshot.kind] += 1;
      expect(this.#store.visible).toEqual(await this.#scenario.rows(snapshot.position.height));
      await this.#reader.prove?.(this.#store, signal);
    }
    await this.#scenario.expectAgreement(this.#store.visible);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#heads.stop();
  }
}

/**
 * Plays random blocks and re-organisations, and expects the common reader to have the contract's rows after each.
 *
 * @returns the number of reads by their kind
 */
export async function followFamily(
  chain: TestChain,
  anvil: Pick<Anvil, "url" | "chainId">,
  scenario: FamilyScenario,
  { random, rounds, deepest }: ScenarioRun,
): Promise<Follower["kinds"]> {
  await using follower = new Follower(chain, anvil, scenario);
  await follower.read();
  for (let round = 0; round < rounds; round += 1) {
    const depth = random.integer(1, random.next() < 0.2 ? deepest : 4);
    for (let block = 0; block < depth; block += 1) {
      for (const call of await scenario.calls()) await chain.send(call);
      await chain.mine();
      if (random.next() < 0.7) await follower.read();
    }
    if (random.next() < 0.6) continue;
    await follower.read();
    const replaced = await scenario.replacements(depth);
    await chain.reorg(
      depth,
      replaced.flatMap((calls, block) => calls.map((call) => ({ call, block }))),
    );
    await follower.read();
  }
  return follower.kinds;
}
