import { type Address, encodeDeployData, type Hex, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChainConnection, SignerCheck } from "../../../common/contracts/chain-connection.ts";
import { connectEvmChain } from "../../../common/contracts/connecting/evm/connect-evm-chain.ts";
import { purchasePermitHook } from "../../../contracts/purchase-permit-hook.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import {
  type AuctionOptions,
  type DeployedAuction,
  deployContinuousAuction,
  mineTo,
  Q96,
  submitBid,
} from "../../support/chains/continuous-auction.ts";
import { evmChain } from "../../support/chains/evm-reader-fixture.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { walletOf } from "../../support/databases/sale-rows.ts";

const signal = new AbortController().signal;
const EVEN = [{ mps: 100_000n, blocks: 100n }];
const SALE_UUID: Hex = "0x11111111111141118111111111111111";
const SIGNER: Address = `0x${"51".repeat(20)}`;
const BIDS = 300;
const BIDS_PER_BLOCK = 50;

describe.skipIf(findAnvil() === undefined)("the connection to a chain with auctions (anvil)", () => {
  let anvil: Anvil;
  let chain: TestChain;
  let connection: ChainConnection;

  beforeAll(async () => {
    anvil = await startAnvil();
    chain = await TestChain.connect(anvil);
    connection = connectEvmChain(evmChain([anvil.url], { chainId: anvil.chainId, chunkRows: 500 }));
  });

  afterAll(async () => {
    await connection?.close();
    await anvil?.stop();
  });

  async function deployed(change: Partial<AuctionOptions> = {}): Promise<DeployedAuction> {
    const auction = await deployContinuousAuction(chain, {
      version: "1.1.0",
      supply: 10n ** 6n,
      steps: EVEN,
      ...change,
    });
    await chain.mine();
    return auction;
  }

  it("checks an auction, of which it reads more bids than a call answers with", async () => {
    const auction = await deployed();
    await mineTo(chain, auction.startBlock);
    for (let id = 0; id < BIDS; id += 1) {
      await chain.send(submitBid(auction, { maxPrice: 9n * Q96, amount: 7n, owner: walletOf(id) }));
      if ((id + 1) % BIDS_PER_BLOCK === 0) await chain.mine();
    }
    const target = { address: auction.address, contractFamily: "cca" } as const;
    const { auction: terms, ...facts } = await connection.check(target, signal);
    expect(terms?.terms.totalSupply).toBe(auction.supply);
    expect(facts).toEqual({
      readable: true,
      height: auction.startBlock + BigInt(BIDS / BIDS_PER_BLOCK),
      problems: [],
      commitmentCount: BigInt(BIDS),
      stageNumber: 1,
      stage: "commitment",
      paymentTokens: [auction.currency.toLowerCase()],
      maxWalletsPerEntity: 1,
      contractFamily: "cca",
    });
  });

  it("says of a contract that is no auction that it isn't", async () => {
    const { token } = await deployed();
    for (const [address, problem] of [
      [token, "is not a sale contract (ContinuousClearingAuction)"],
      [SIGNER, "there is no contract at"],
    ] as const) {
      const { readable, problems } = await connection.check({ address, contractFamily: "cca" }, signal);
      expect([readable, problems]).toEqual([false, [expect.stringContaining(problem)]]);
    }
  });

  it("asks an auction's hook which signers it accepts", async () => {
    const hook = await chain.deploy(
      encodeDeployData({ ...purchasePermitHook, args: [SALE_UUID, [SIGNER], zeroAddress] }),
    );
    const { address } = await deployed({ hook });
    const check = (signer: Address): Promise<SignerCheck> =>
      connection.checkSigner({ address, signer, contractFamily: "cca" }, signal);
    expect([await check(SIGNER), await check(walletOf(1))]).toEqual([{ accepted: true }, { accepted: false }]);
  });

  it.each<[string, (auction: DeployedAuction) => Address]>([
    ["an auction without a hook", ({ address }) => address],
    ["a contract that is no auction", ({ token }) => token],
  ])("can ask nobody about signers of %s", async (_, addressOf) => {
    const target = { address: addressOf(await deployed()), signer: SIGNER, contractFamily: "cca" } as const;
    const problem = expect.stringContaining("hasRole(bytes32,address) of its validation hook");
    expect(await connection.checkSigner(target, signal)).toEqual({ problem });
  });

  it("can ask nobody about signers where the hook is no contract of ours", async () => {
    const { token } = await deployed();
    const { address } = await deployed({ hook: token });
    const problem = expect.stringContaining("hasRole(bytes32,address) of its validation hook");
    expect(await connection.checkSigner({ address, signer: SIGNER, contractFamily: "cca" }, signal)).toEqual({
      problem,
    });
  });
});
