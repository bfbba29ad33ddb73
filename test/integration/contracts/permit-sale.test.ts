import { type Address, getAddress, type Hex, parseEventLogs } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { freeToken } from "../../../services/demo/chain/free-token.ts";
import { permitSale } from "../../../services/demo/chain/permit-sale.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import {
  type Attempt,
  NOW,
  PERMIT_SALE_UUID,
  PERMIT_SIGNER,
  type PriorBid,
  permitted,
  VIOLATIONS,
  validAttempt,
} from "../../support/chains/permit-attempt.ts";
import {
  deployFreeToken,
  deployPermitSale,
  fund,
  minedReceipt,
  outcome,
  type PermittedBid,
  permitSaleCalls,
  permittedBid,
} from "../../support/chains/permit-sale.ts";
import { lockupPayload, MAX_UINT256, signPermit } from "../../support/chains/purchase-permit.ts";
import { auctionCalls, readDirect } from "../../support/chains/sale-contract.ts";
import { type ContractCall, TestChain } from "../../support/chains/test-chain.ts";
import { entityOf } from "../../support/databases/sale-rows.ts";

const MAX_WALLETS = 2;

describe.skipIf(findAnvil() === undefined)("PermitSale (anvil)", () => {
  let anvil: Anvil;
  let chain: TestChain;
  let sale: Address;
  let tokens: readonly [Address, Address];
  let owner: Address;
  let wallet: Address;
  let others: readonly Address[];
  let fresh: Hex;

  beforeAll(async () => {
    // The chain's time passes: an hour is enough for the set-up on any machine.
    anvil = await startAnvil({ mining: "auto", timestamp: Number(NOW) - 3_600 });
    chain = await TestChain.connect(anvil);
    [owner, wallet, ...others] = (await chain.client.getAddresses()) as [Address, Address, ...Address[]];
    tokens = [await deployFreeToken(chain), await deployFreeToken(chain)];
    sale = await deployPermitSale(chain, { saleUuid: PERMIT_SALE_UUID, tokens, maxWallets: MAX_WALLETS });
    await send(permitSaleCalls.grantSigner(sale, PERMIT_SIGNER.address), auctionCalls.setStage(sale, 1));
    for (const account of [wallet, ...others.slice(0, 2)]) {
      for (const token of tokens) await fund(chain, account, token, sale);
    }
    await chain.client.setNextBlockTimestamp({ timestamp: NOW });
    await chain.mine();
    // From now on time stands still.
    await chain.client.setBlockTimestampInterval({ interval: 0 });
  });
  afterAll(() => anvil?.stop());

  beforeEach(async () => {
    fresh = await chain.client.snapshot();
  });
  afterEach(() => chain.client.revert({ id: fresh }));

  async function send(...calls: readonly ContractCall[]): Promise<void> {
    for (const call of calls) await chain.send(call);
  }

  async function signed({ permit, bid, token, signer, spoil }: Attempt): Promise<PermittedBid> {
    return { permit, bid, token, signature: spoil(await signPermit(signer, permit)) };
  }

  /** Sends a bid of 1,000 at 10 with a permit without bounds, by default of the first wallet for the first entity. */
  async function place({ from = wallet, entity = entityOf(1), token = tokens[0], ...bid }: Placed = {}) {
    const attempt = validAttempt(from, token);
    permitted({ saleSpecificEntityID: entity, minAmount: 0n, maxAmount: MAX_UINT256, minPrice: 0n })(attempt);
    permitted({ maxPrice: 2n ** 53n - 1n })(attempt);
    attempt.bid = { ...attempt.bid, ...bid };
    const call = { ...permittedBid(sale, await signed(attempt)), account: from, chain: null };
    const hash = await chain.client.writeContract(call);
    return minedReceipt(chain, hash);
  }

  /** Brings the contract into the state that an attempt is to meet. */
  async function arrange(attempt: Attempt): Promise<void> {
    const entity = attempt.permit.saleSpecificEntityID;
    if (attempt.tied) await place({ entity: entityOf(9) });
    for (let index = 0; attempt.full && index < MAX_WALLETS; index += 1) {
      const from = others[index] ?? owner;
      await place({ from, entity, price: 1n, amount: BigInt(index + 1) });
    }
    if (attempt.prior !== undefined) await arrangePrior(entity, attempt.prior);
    if (!attempt.hasApproved) await approve(0n);
    await send(permitSaleCalls.setPaused(sale, attempt.paused), auctionCalls.setStage(sale, attempt.stage));
  }

  async function arrangePrior(entity: Hex, { amount, price, lockup, refunded }: PriorBid): Promise<void> {
    const rows = await readDirect(chain.client, sale);
    const existing = rows.find(({ entityId }) => `0x${entityId}` === entity)?.amounts ?? [];
    const rest = amount - existing.reduce((sum, each) => sum + each.amount, 0n);
    const added = [{ wallet, token: tokens[0], amount: rest }];
    await send(auctionCalls.bid(sale, { entity, price, lockup, added, extraData: "0x" }));
    const count = (await readDirect(chain.client, sale)).length;
    if (refunded) await send(auctionCalls.setStage(sale, 4), auctionCalls.settle(sale, 0n, BigInt(count)));
  }

  async function approve(amount: bigint): Promise<void> {
    const contract = { address: tokens[0], abi: freeToken.abi, account: wallet, chain: null } as const;
    const call = { ...contract, functionName: "approve", args: [sale, amount] } as const;
    await minedReceipt(chain, await chain.client.writeContract(call));
  }

  async function outcomeOf(attempt: Attempt): Promise<readonly unknown[]> {
    await arrange(attempt);
    return outcome(chain, sale, await signed(attempt), wallet);
  }

  const tried = (...changes: readonly ((attempt: Attempt) => void)[]) => {
    const attempt = validAttempt(wallet, tokens[0]);
    for (const change of changes) change(attempt);
    return outcomeOf(attempt);
  };

  it("takes the bid that the permit is for, up to its very bounds", async () => {
    expect(await tried()).toEqual(["accepted"]);
  });

  it.each(VIOLATIONS)(
    "refuses with $error, and says so although all later checks would fail too",
    async (violation) => {
      expect((await tried(violation.change))[0]).toBe(violation.error);
      await chain.client.revert({ id: fresh });
      fresh = await chain.client.snapshot();
      const groups = new Set([violation.group]);
      const later = VIOLATIONS.slice(VIOLATIONS.indexOf(violation) + 1).filter(({ group }) => {
        const isFree = group === undefined || !groups.has(group);
        groups.add(group);
        return isFree;
      });
      expect((await tried(violation.change, ...later.map(({ change }) => change)))[0]).toBe(violation.error);
    },
  );

  it("names in its errors what it got and what it wants", async () => {
    expect(await tried(permitted({ expiresAt: NOW }))).toEqual(["PurchasePermitExpired", NOW, NOW]);
    const opensAt = NOW + 1n;
    const closed = ["BidOutsideAllowedWindow", opensAt, opensAt, NOW];
    expect(await tried(permitted({ opensAt }))).toEqual(closed);
    expect(await tried(permitted({ maxAmount: 999n }))).toEqual(["BidExceedsMaxAmount", 1_000n, 999n]);
    expect(await tried(permitted({ minPrice: 11n }))).toEqual(["BidPriceBelowMinPrice", 10n, 11n]);
    const stage = await tried((attempt) => Object.assign(attempt, { stage: 0 }));
    expect(stage).toEqual(["InvalidStage", 0, [1]]);
  });

  it("takes the reference's own vector, with its signature as it was computed there", async () => {
    await send(permitSaleCalls.grantSigner(sale, owner));
    const permit = {
      saleSpecificEntityID: "0x1234567890abcdef1234567890abcdef",
      saleUUID: PERMIT_SALE_UUID,
      wallet: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      expiresAt: 1_704_067_200n,
      minAmount: 1_000_000_000n,
      maxAmount: 15_000_000_000n,
      minPrice: 5n,
      maxPrice: 100n,
      opensAt: 1_704_060_000n,
      closesAt: 1_704_153_600n,
      payload: lockupPayload(false),
    } as const;
    const signature =
      "0x3f22f762f96798a15ad4152970020567c8d9cdc32c481b4fd1abc1467a723ed24d2b10a698fd5dd09565e36a672a3d3f7881478e3588925f6c7094ea2e11cc5b1b";
    const bid = { lockup: false, price: 5n, amount: 1_000_000_000n };
    expect(await outcome(chain, sale, { permit, bid, token: tokens[0], signature }, wallet)).toEqual(["accepted"]);
    const other = { ...permit, maxPrice: 101n };
    const forged = await outcome(chain, sale, { permit: other, bid, token: tokens[0], signature }, wallet);
    expect(forged[0]).toBe("UnauthorizedSigner");
  });

  it("takes a payload of lockup with a bid that has one", async () => {
    const locked = await tried(permitted({ payload: lockupPayload(true) }), (attempt) => {
      attempt.bid = { ...attempt.bid, lockup: true };
    });
    expect(locked).toEqual(["accepted"]);
  });

  it("keeps one row per entity, takes only the increase, and logs each bid", async () => {
    const balance = (account: Address, token = tokens[0]) =>
      chain.client.readContract({ address: token, abi: freeToken.abi, functionName: "balanceOf", args: [account] });
    const before = await balance(wallet);
    const first = await place();
    const raised = await place({ amount: 1_500n, price: 20n });
    const second = await place({ from: others[0], token: tokens[1], amount: 1_600n, price: 20n, lockup: true });
    const dearer = await place({ amount: 1_600n, price: 30n, lockup: true });

    expect(before - (await balance(wallet))).toBe(1_500n);
    expect([await balance(sale), await balance(sale, tokens[1])]).toEqual([1_500n, 100n]);
    expect(await readDirect(chain.client, sale)).toEqual([
      {
        commitmentId: entityOf(1).slice(2).padEnd(64, "0"),
        entityId: entityOf(1).slice(2),
        createdAtSeconds: NOW,
        priceTicks: 30n,
        lockup: true,
        refunded: false,
        amounts: [
          { wallet: wallet.toLowerCase(), token: tokens[0].toLowerCase(), amount: 1_500n },
          { wallet: others[0]?.toLowerCase(), token: tokens[1].toLowerCase(), amount: 100n },
        ],
        extraData: new Uint8Array(),
        sourceIndex: 0n,
      },
    ]);
    const logs = [first, raised, second, dearer].map(({ logs }) =>
      parseEventLogs({ abi: permitSale.abi, logs }).map(({ eventName, args }) => [eventName, args]),
    );
    const entity = entityOf(1);
    expect(logs[1]).toEqual([
      ["CommitmentIncreased", { entity, wallet, token: getAddress(tokens[0]), amount: 500n }],
      ["BidPlaced", { entity, wallet, bid: { lockup: false, price: 20n, amount: 1_500n } }],
    ]);
    expect(logs[3]).toEqual([["BidPlaced", { entity, wallet, bid: { lockup: true, price: 30n, amount: 1_600n } }]]);
  });

  it("forgets a signer whose role is taken", async () => {
    await send(permitSaleCalls.revokeSigner(sale, PERMIT_SIGNER.address));
    expect(await tried()).toEqual(["UnauthorizedSigner", PERMIT_SIGNER.address]);
  });

  it("lets only its owner bid without a permit, pause, and give roles", async () => {
    const bid = { entity: entityOf(5), price: 10n, lockup: false, extraData: "0x" as const };
    const added = [{ wallet: others[3] ?? owner, token: tokens[0], amount: 7n }];
    const calls = [
      auctionCalls.bidMany(sale, [{ ...bid, added }]),
      permitSaleCalls.setPaused(sale, true),
      permitSaleCalls.grantSigner(sale, wallet),
      permitSaleCalls.revokeSigner(sale, PERMIT_SIGNER.address),
    ];
    for (const call of calls) {
      await expect(chain.client.simulateContract({ ...call, account: wallet })).rejects.toThrow("NotOwner");
      await chain.client.simulateContract({ ...call, account: owner });
    }
    await send(...calls);
    expect(await readDirect(chain.client, sale)).toMatchObject([{ entityId: entityOf(5).slice(2), priceTicks: 10n }]);
  });

  it("is a sale of version 2 whose amounts a cancellation takes to zero", async () => {
    const version = await chain.client.readContract({ address: sale, abi: permitSale.abi, functionName: "version" });
    expect(version).toEqual([2, 0, 0]);
    await place();
    await send(auctionCalls.setStage(sale, 2), auctionCalls.cancel(sale, entityOf(1)));
    expect(await readDirect(chain.client, sale)).toMatchObject([{ refunded: true, amounts: [{ amount: 0n }] }]);
  });
});

/** A bid to place; what is absent has a default. */
interface Placed {
  readonly from?: Address | undefined;
  readonly entity?: Hex;
  readonly token?: Address;
  readonly amount?: bigint;
  readonly price?: bigint;
  readonly lockup?: boolean;
}
