import { type Address, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EvmEndpoint } from "../../../common/chains/evm/evm-endpoint.ts";
import { PinnedBlock } from "../../../common/chains/evm/pinned-block.ts";
import { readAuctionTerms, readTermsAt } from "../../../common/contracts/cca/auction-terms.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { type AuctionOptions, deployContinuousAuction, mineTo, Q96 } from "../../support/chains/continuous-auction.ts";
import { evmChain } from "../../support/chains/evm-reader-fixture.ts";
import { TestChain } from "../../support/chains/test-chain.ts";

const signal = new AbortController().signal;
const EVEN = [{ mps: 1_000_000n, blocks: 10n }];
const STEPS = [{ mps: 0n, blocks: 3n }, ...EVEN, { mps: 0n, blocks: 2n ** 40n - 1n }];

describe.skipIf(findAnvil() === undefined)("the terms of an auction (anvil)", () => {
  let anvil: Anvil;
  let chain: TestChain;
  let endpoint: EvmEndpoint;

  beforeAll(async () => {
    anvil = await startAnvil();
    chain = await TestChain.connect(anvil);
    endpoint = new EvmEndpoint(evmChain([anvil.url], { chainId: anvil.chainId }));
  });
  afterAll(() => anvil?.stop());

  async function pinned(contract: Address): Promise<PinnedBlock> {
    const { number, hash } = await chain.client.getBlock();
    return new PinnedBlock(endpoint, contract.toLowerCase(), { number, hash: hash?.slice(2) ?? "" });
  }

  it.each<[string, AuctionOptions]>([
    ["version 1.0.0, paid in a token", { version: "1.0.0", supply: 1_000n, steps: EVEN }],
    [
      "version 1.1.0, paid in the chain's coin",
      {
        version: "1.1.0",
        supply: 2n ** 70n,
        steps: STEPS,
        floorPrice: 6n * 2n ** 90n,
        tickSpacing: 2n ** 90n,
        isNative: true,
        hook: `0x${"ab".repeat(20)}`,
      },
    ],
  ])("are those that one of %s was made with, before its start and after its end", async (_, options) => {
    const auction = await deployContinuousAuction(chain, options);
    const { startBlock, endBlock, claimBlock, token, currency } = auction;
    await chain.mine();
    const expected = {
      version: options.version,
      token: token.toLowerCase(),
      currency: currency.toLowerCase(),
      totalSupply: options.supply,
      ...{ startBlock, endBlock, claimBlock },
      floorPrice: options.floorPrice ?? Q96,
      tickSpacing: options.tickSpacing ?? Q96,
      validationHook: options.hook ?? zeroAddress,
      steps: options.steps,
    };
    expect(await readAuctionTerms(await pinned(auction.address), signal)).toEqual(expected);
    await mineTo(chain, startBlock);
    expect(await readTermsAt(await pinned(auction.address), signal)).toEqual({
      terms: expected,
      ownBlockNumber: startBlock,
      awaitsTokens: false,
    });
    if (endBlock > 1_000_000n) return;
    await mineTo(chain, claimBlock);
    expect(await readAuctionTerms(await pinned(auction.address), signal)).toEqual(expected);
  });

  it("say that a begun auction has no tokens yet", async () => {
    const options: AuctionOptions = { version: "1.0.0", supply: 1_000n, steps: EVEN, hasTokens: false };
    const { address, startBlock } = await deployContinuousAuction(chain, options);
    await chain.mine();
    expect(await readTermsAt(await pinned(address), signal)).toMatchObject({ awaitsTokens: false });
    await mineTo(chain, startBlock);
    expect(await readTermsAt(await pinned(address), signal)).toMatchObject({ awaitsTokens: true });
  });

  it("can't be read from a contract that is none", async () => {
    const { token } = await deployContinuousAuction(chain, { version: "1.0.0", supply: 1_000n, steps: EVEN });
    await chain.mine();
    for (const address of [token, zeroAddress]) {
      await expect(readAuctionTerms(await pinned(address), signal)).rejects.toThrow("revert");
    }
  });
});
