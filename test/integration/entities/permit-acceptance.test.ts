import { randomUUID } from "node:crypto";
import { type Address, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { EntityType, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { SignedPermit } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { sampleGroup } from "../../../services/entities/testing/sample-rules.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { contractUuid } from "../../support/chains/chain-sale.ts";
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
import {
  lockupPayload,
  type PermitBid,
  type PurchasePermit,
  purchasePermitOf,
} from "../../support/chains/purchase-permit.ts";
import { auctionCalls } from "../../support/chains/sale-contract.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { databases } from "../../support/databases/databases.ts";
import type { SignedIn } from "../../support/processes/auth-fixture.ts";
import type { EntitiesFixture } from "../../support/processes/entities-fixture.ts";
import { startIndexedEntities } from "../../support/processes/indexed-entities.ts";
import { anvilChain } from "../../support/processes/indexer-process.ts";
import { until } from "../../support/repository/polling.ts";
import { type OwnedSale, ownedSale, sampleRulesMessage } from "../../support/sales/participation-sales.ts";
import { auction, evmSource, refusal } from "../../support/sales/sale-messages.ts";

const CHAIN = "local";
const NO_CONTRACT: Address = `0x${"0e".repeat(20)}`;
const GROUP = { minAmount: 100_000_000n, maxAmount: 900_000_000n, minPriceTicks: 20n, maxPriceTicks: 60n };

/** A permit as the contract takes it. */
interface Issued {
  readonly permit: PurchasePermit;
  readonly signature: `0x${string}`;
}

/** A person with an entity whose set-up is complete, known to a sale's application. */
interface Participant {
  readonly session: SignedIn;
  readonly accessToken: string;
  /** `SaleEntity.entity_uuid` */
  readonly publicUuid: string;
  /** In the contract. */
  readonly entityId: `0x${string}`;
}

describe.skipIf(findAnvil() === undefined)("permits that IssuePermit gave, in a contract (anvil)", () => {
  const stack = new AsyncDisposableStack();
  let anvil: Anvil;
  let chain: TestChain;
  let service: EntitiesFixture;
  let token: Address;
  let contract: Address;
  let sale: OwnedSale;
  let wallets: readonly Address[];
  let nowSeconds: bigint;

  beforeAll(async () => {
    const [variant] = databases();
    if (variant === undefined) throw new Error("there is no database");
    const database = await variant.create();
    stack.defer(() => database.remove());
    anvil = await startAnvil({ mining: "auto", timestamp: Math.floor(Date.now() / 1_000) - 600 });
    stack.defer(() => anvil.stop());
    chain = await TestChain.connect(anvil);
    [, ...wallets] = await chain.client.getAddresses();
    const identity = { provider: "demo", reviewers: new Set<string>(), approvalLifetimeMs: 0n } as const;
    service = await startIndexedEntities(database, { [CHAIN]: anvilChain(anvil.url, anvil.chainId) }, { identity });
    stack.defer(() => service.stop());
    token = await deployFreeToken(chain);
    await openSale();
    nowSeconds = service.auth.time.now() / 1_000n;
    await chain.client.setNextBlockTimestamp({ timestamp: nowSeconds });
    await chain.mine();
    await chain.client.setBlockTimestampInterval({ interval: 0 });
  });
  afterAll(() => stack.disposeAsync());

  /** Sets up a sale whose contract takes bids, with rules, and a key that the contract knows. */
  async function openSale(): Promise<void> {
    sale = await ownedSale(service, "founder", definitionWith(NO_CONTRACT));
    const { saleUuid } = sale;
    contract = await deployPermitSale(chain, { saleUuid: contractUuid(saleUuid), tokens: [token], maxWallets: 2 });
    await chain.send(auctionCalls.setStage(contract, 1));
    await enterContract(saleUuid);
    await activateKey();
    await setGroup({});
    await service.applicationOf(saleUuid);
    const { sales } = service.auth.commitments;
    await sales.openSale({ saleUuid, overrideConfirmName: "Auction" });
    await until(async () => (await sales.getSale({ saleUuid })).sale?.stage === SaleStage.COMMITMENT);
  }

  /** The contract needs the sale's UUID, so it is entered afterwards. */
  async function enterContract(saleUuid: string, address = contract): Promise<void> {
    const { sales } = service.auth.commitments;
    const { sale: draft } = await sales.getSale({ saleUuid });
    const expectedDefinitionVersion = draft?.definitionVersion ?? 0n;
    await sales.updateSale({ saleUuid, definition: definitionWith(address), expectedDefinitionVersion });
  }

  function definitionWith(address: Address) {
    const source = evmSource({ chain: CHAIN, contract: address.toLowerCase() });
    return auction({ source, paymentTokens: [{ address: token.toLowerCase(), decimals: 6, usdStablecoin: true }] });
  }

  /** Makes the next key the active one. @returns its address */
  async function activateKey({ saleUuid, permits }: OwnedSale = sale, address = contract): Promise<Address> {
    const { key } = await permits.createKey({ saleUuid });
    const signer = (key?.address ?? "") as Address;
    await chain.send(permitSaleCalls.grantSigner(address, signer));
    await permits.activateKey({ saleUuid, keyUuid: key?.keyUuid ?? "" });
    return signer;
  }

  async function setGroup(group: Parameters<typeof sampleGroup>[0]): Promise<void> {
    const { saleUuid } = sale;
    const { version } = await sale.eligibility.getRules({ saleUuid });
    const groups = [sampleGroup({ ...GROUP, ...group })];
    const wallets = { maxWalletsPerEntity: 2 };
    const rules = sampleRulesMessage({ groups, payload: "settlement" });
    const changed = { ...rules, wallets: { ...rules.wallets, ...wallets } } as never;
    await sale.eligibility.updateRules({ saleUuid, rules: changed, expectedVersion: version });
  }

  const rulesOf = (maxWalletsPerEntity: number, payload: "none" | "settlement") => {
    const rules = sampleRulesMessage({ groups: [sampleGroup(GROUP)], payload });
    return { ...rules, wallets: { ...rules.wallets, maxWalletsPerEntity } } as never;
  };

  async function participant(): Promise<Participant> {
    const session = await service.auth.signIn(`bidder-${randomUUID()}@example.com`);
    const { entities } = await service.asPerson(session);
    const { entity } = await entities.createEntity({ type: EntityType.PERSON, label: "Myself" });
    const entityUuid = entity?.uuid ?? "";
    await entities.chooseDemoSetup({ entityUuid, state: SetupState.COMPLETE, country: "CH" });
    const accessToken = await service.accessToken(session, sale.saleUuid);
    const asGateway = service.as("gateway").entities;
    const listed = await asGateway.listAvailableEntities({ access: { accessToken }, saleUuid: sale.saleUuid });
    const [known] = listed.entities;
    if (known === undefined) throw new Error("the application sees no entity");
    const entityId = toHex(known.saleSpecificEntityId);
    return { session, accessToken, publicUuid: known.entityUuid, entityId };
  }

  async function issued({ accessToken, publicUuid }: Participant, wallet: Address): Promise<Issued> {
    const request = { access: { accessToken }, saleUuid: sale.saleUuid, entityUuid: publicUuid, wallet };
    const { result } = await service.as("gateway").permits.issuePermit(request);
    if (result.case !== "issued") throw new Error(`the permit was refused: ${JSON.stringify(result)}`);
    return contractPermit(result.value);
  }

  const judged = async ({ permit, signature }: Issued, bid: Partial<PermitBid> = {}, from: Address = permit.wallet) => {
    const least = { lockup: false, price: permit.minPrice, amount: permit.minAmount };
    const placed: PermittedBid = { token, permit, signature, bid: { ...least, ...bid } };
    return (await outcome(chain, contract, placed, from))[0];
  };

  /** Judges at another time, and returns to the present. */
  async function judgedAt(seconds: bigint, permit: Issued): Promise<unknown> {
    const id = await chain.client.snapshot();
    await chain.client.setNextBlockTimestamp({ timestamp: seconds });
    await chain.mine();
    const name = await judged(permit);
    await chain.client.revert({ id });
    return name;
  }

  const walletAt = (index: number): Address => wallets[index] ?? token;

  it("are accepted for exactly what they say, and refused for anything else", async () => {
    const [wallet, other] = [walletAt(0), walletAt(1)];
    await fund(chain, wallet, token, contract);
    const bidder = await participant();
    const given = await issued(bidder, wallet);
    const { permit } = given;
    expect(permit).toMatchObject({
      saleSpecificEntityID: bidder.entityId,
      saleUUID: contractUuid(sale.saleUuid),
      wallet,
      minAmount: GROUP.minAmount,
      maxAmount: GROUP.maxAmount,
      minPrice: GROUP.minPriceTicks,
      maxPrice: GROUP.maxPriceTicks,
      payload: lockupPayload(false),
    });
    expect(await judged(given)).toBe("accepted");
    expect(await judged(given, { amount: permit.maxAmount, price: permit.maxPrice, lockup: true })).toBe("accepted");
    expect(await judged(given, { amount: permit.minAmount - 1n })).toBe("BidBelowMinAmount");
    expect(await judged(given, { amount: permit.maxAmount + 1n })).toBe("BidExceedsMaxAmount");
    expect(await judged(given, { price: permit.minPrice - 1n })).toBe("BidPriceBelowMinPrice");
    expect(await judged(given, { price: permit.maxPrice + 1n })).toBe("BidPriceExceedsMaxPrice");
    expect(await judged(given, {}, other)).toBe("InvalidSender");
  });

  it("are refused once a field is another", async () => {
    const wallet = walletAt(2);
    await fund(chain, wallet, token, contract);
    const given = await issued(await participant(), wallet);
    const { permit } = given;
    const changes: readonly Partial<PurchasePermit>[] = [
      { saleSpecificEntityID: `0x${"e1".repeat(16)}` },
      { expiresAt: permit.expiresAt + 1n },
      { minAmount: permit.minAmount - 1n },
      { maxAmount: permit.maxAmount + 1n },
      { minPrice: permit.minPrice - 1n },
      { maxPrice: permit.maxPrice + 1n },
      { opensAt: permit.opensAt + 1n },
      { closesAt: permit.closesAt - 1n },
      { payload: lockupPayload(true) },
    ];
    for (const change of changes) {
      const forged = { ...given, permit: { ...permit, ...change } };
      expect(await judged(forged), Object.keys(change).join()).toBe("UnauthorizedSigner");
    }
    const elsewhere = { ...given, permit: { ...given.permit, saleUUID: contractUuid(randomUUID()) } };
    expect(await judged(elsewhere)).toBe("InvalidSaleUUID");
    const moved = { ...given, permit: { ...given.permit, wallet: walletAt(3) } };
    expect(await judged(moved)).toBe("UnauthorizedSigner");
  });

  it("end after ten minutes, and with the group's window", async () => {
    const wallet = walletAt(4);
    await fund(chain, wallet, token, contract);
    const bidder = await participant();
    const open = await issued(bidder, wallet);
    expect(open.permit.expiresAt).toBe(service.auth.time.now() / 1_000n + 600n);
    expect(await judgedAt(open.permit.expiresAt - 1n, open)).toBe("accepted");
    expect(await judgedAt(open.permit.expiresAt, open)).toBe("PurchasePermitExpired");
    const [opensAt, closesAt] = [nowSeconds - 10n, nowSeconds + 300n];
    await setGroup({ opensAt, closesAt });
    const windowed = await issued(bidder, wallet);
    expect(windowed.permit).toMatchObject({ opensAt, closesAt });
    expect(await judgedAt(closesAt - 1n, windowed)).toBe("accepted");
    expect(await judgedAt(closesAt, windowed)).toBe("BidOutsideAllowedWindow");
    await setGroup({});
  });

  it("force a lockup where the group does", async () => {
    const wallet = walletAt(5);
    await fund(chain, wallet, token, contract);
    await setGroup({ forcedLockup: true });
    const given = await issued(await participant(), wallet);
    expect(await judged(given)).toBe("BidMustHaveLockup");
    expect(await judged(given, { lockup: true })).toBe("accepted");
    await setGroup({});
  });

  it("are refused with a key whose role is taken, and come with the next one", async () => {
    const wallet = walletAt(6);
    await fund(chain, wallet, token, contract);
    const bidder = await participant();
    const before = await issued(bidder, wallet);
    const { keys } = await sale.permits.listKeys({ saleUuid: sale.saleUuid });
    const old = keys[0]?.address as Address;
    await activateKey();
    const after = await issued(bidder, wallet);
    expect([await judged(before), await judged(after)]).toEqual(["accepted", "accepted"]);
    await chain.send(permitSaleCalls.revokeSigner(contract, old));
    expect([await judged(before), await judged(after)]).toEqual(["UnauthorizedSigner", "accepted"]);
  });

  it("come of no rules that the contract can't take", async () => {
    const { saleUuid, eligibility } = sale;
    const { version: expectedVersion } = await eligibility.getRules({ saleUuid });
    const rules = rulesOf(3, "none");
    const { violations } = await refusal(eligibility.updateRules({ saleUuid, rules, expectedVersion }));
    expect(violations.map(({ field }) => field)).toEqual(["rules.wallets.max_wallets_per_entity", "rules.payload"]);
  });

  it("come of no sale that got a contract afterwards which can't take them", async () => {
    const later = await ownedSale(service, "later", definitionWith(NO_CONTRACT));
    const { saleUuid, eligibility } = later;
    await eligibility.updateRules({ saleUuid, rules: rulesOf(3, "settlement"), expectedVersion: 0n });
    const address = await deployPermitSale(chain, { saleUuid: contractUuid(saleUuid), tokens: [token], maxWallets: 2 });
    await enterContract(saleUuid, address);
    await activateKey(later, address);
    const opening = service.auth.commitments.sales.openSale({ saleUuid, overrideConfirmName: "Auction" });
    await expect(opening).rejects.toThrow("rules.wallets.max_wallets_per_entity must be at most 2");
  });

  it("bring a bid into the sale's figures, under the ID that the application knows", async () => {
    const wallet = walletAt(7);
    await fund(chain, wallet, token, contract);
    const bidder = await participant();
    const { permit, signature } = await issued(bidder, wallet);
    const bid = { lockup: false, price: 42n, amount: 250_000_000n };
    const call = { ...permittedBid(contract, { token, permit, signature, bid }), account: wallet, chain: null };
    await minedReceipt(chain, await chain.client.writeContract(call));
    const { commitments } = service.auth.commitments;
    const rowOfBidder = async () => {
      const { commitments: rows } = await commitments.listCommitments({ saleUuid: sale.saleUuid, pageSize: 100 });
      return rows.map(({ record }) => record).find((row) => toHex(row?.entityId ?? Buffer.of()) === bidder.entityId);
    };
    await until(async () => (await rowOfBidder()) !== undefined);
    expect(await rowOfBidder()).toMatchObject({
      priceTicks: "42",
      amounts: [{ wallet: wallet.toLowerCase(), token: token.toLowerCase(), amount: "250000000" }],
    });
  });
});

/** A permit of the entities service as the contract takes it. */
function contractPermit({ permit, signature }: SignedPermit): Issued {
  if (permit === undefined) throw new Error("there is no permit");
  return { permit: purchasePermitOf(permit), signature: toHex(signature) };
}
