import { randomUUID } from "node:crypto";
import { type Address, decodeErrorResult, encodeDeployData, type Hex, toHex, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { purchasePermitHook } from "../../../contracts/purchase-permit-hook.ts";
import { ClearingRule, ContractFamily, SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { EntityType, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { sampleGroup } from "../../../services/entities/testing/sample-rules.ts";
import { startAnvil } from "../../support/chains/anvil.ts";
import { contractUuid } from "../../support/chains/chain-sale.ts";
import {
  type DeployedAuction,
  deployContinuousAuction,
  mineTo,
  Q96,
  submitBid,
} from "../../support/chains/continuous-auction.ts";
import { fund, minedReceipt, revertOf } from "../../support/chains/permit-sale.ts";
import { permitHookData, purchasePermitOf } from "../../support/chains/purchase-permit.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { databases } from "../../support/databases/databases.ts";
import type { EntitiesFixture } from "../../support/processes/entities-fixture.ts";
import { startIndexedEntities } from "../../support/processes/indexed-entities.ts";
import { anvilChain } from "../../support/processes/indexer-process.ts";
import { until } from "../../support/repository/polling.ts";
import { type OwnedSale, ownedSale, sampleRulesMessage } from "../../support/sales/participation-sales.ts";
import { auction as auctionDefinition, evmSource, refusal } from "../../support/sales/sale-messages.ts";

const CHAIN = "local";
const SUPPLY = 10n ** 12n;
const GAS = 1_000_000n;
const GROUP = { minAmount: 1_000n, maxAmount: 5_000n };

describe.skipIf(findAnvil() === undefined)("permits for an auction whose hook checks them (anvil)", () => {
  const stack = new AsyncDisposableStack();
  let chain: TestChain;
  let service: EntitiesFixture;
  let sale: OwnedSale;
  let auction: DeployedAuction;
  let wallet: Address;

  beforeAll(async () => {
    const [variant] = databases();
    if (variant === undefined) throw new Error("there is no database");
    const database = await variant.create();
    stack.defer(() => database.remove());
    const anvil = await startAnvil({ mining: "auto", timestamp: Math.floor(Date.now() / 1_000) - 600 });
    stack.defer(() => anvil.stop());
    chain = await TestChain.connect(anvil);
    [, wallet = chain.account] = await chain.client.getAddresses();
    const identity = { provider: "demo", reviewers: new Set<string>(), approvalLifetimeMs: 0n } as const;
    service = await startIndexedEntities(database, { [CHAIN]: anvilChain(anvil.url, anvil.chainId) }, { identity });
    stack.defer(() => service.stop());
    await chain.mine();
    await setUp();
    await chain.client.setNextBlockTimestamp({ timestamp: service.auth.time.now() / 1_000n });
    await chain.mine();
    await chain.client.setBlockTimestampInterval({ interval: 0 });
  });
  afterAll(() => stack.disposeAsync());

  /** Sets up the sale in a founder's order: a key, the hook that knows it, the auction with that hook, the rules. */
  async function setUp(): Promise<void> {
    sale = await ownedSale(service, "founder", auctionDefinition({ source: evmSource({ chain: CHAIN }) }));
    const { saleUuid } = sale;
    const { key } = await sale.permits.createKey({ saleUuid });
    // No contract knows it yet: the hook needs its address first.
    await sale.permits.activateKey({ saleUuid, keyUuid: key?.keyUuid ?? "", override: true });
    const args = [contractUuid(saleUuid), [key?.address as Address], zeroAddress] as const;
    const hook = await chain.deploy(encodeDeployData({ ...purchasePermitHook, args }));
    const steps = [{ mps: 1n, blocks: 10_000_000n }];
    auction = await deployContinuousAuction(chain, { version: "1.1.0", steps, supply: SUPPLY, hook });
    await fund(chain, wallet, auction.currency, auction.address);
    await mineTo(chain, auction.startBlock);
    await enterAuction();
    await setGroup({});
    await service.applicationOf(saleUuid);
    const { sales } = service.auth.commitments;
    await sales.openSale({ saleUuid, overrideConfirmName: "Auction" });
    await until(async () => (await sales.getSale({ saleUuid })).sale?.stage === SaleStage.COMMITMENT);
  }

  async function enterAuction(): Promise<void> {
    const { sales } = service.auth.commitments;
    const { saleUuid } = sale;
    const { sale: draft } = await sales.getSale({ saleUuid });
    const contract = auction.address.toLowerCase();
    const definition = auctionDefinition({
      source: { case: "evm", value: { chain: CHAIN, contract, family: ContractFamily.CCA } },
      paymentTokens: [{ address: auction.currency.toLowerCase(), decimals: 6 }],
      priceTick: { numerator: "1", denominator: `${Q96}` },
      pricing: {
        case: "auction",
        value: {
          ...{ offeredAmount: `${SUPPLY}`, floorTicks: `${Q96}`, incrementTicks: "1" },
          clearingRule: ClearingRule.LOWEST_NOT_OUTBID,
        },
      },
      widePrices: true,
    });
    const expectedDefinitionVersion = draft?.definitionVersion ?? 0n;
    await sales.updateSale({ saleUuid, definition, expectedDefinitionVersion });
  }

  const rulesOf = (group: Parameters<typeof sampleGroup>[0], payload: "none" | "settlement" = "none") => {
    const rules = sampleRulesMessage({ groups: [sampleGroup({ ...GROUP, ...group })], payload });
    return { ...rules, wallets: { ...rules.wallets, maxWalletsPerEntity: 2 } } as never;
  };

  async function setGroup(group: Parameters<typeof sampleGroup>[0], payload?: "settlement"): Promise<void> {
    const { saleUuid, eligibility } = sale;
    const { version: expectedVersion } = await eligibility.getRules({ saleUuid });
    await eligibility.updateRules({ saleUuid, rules: rulesOf(group, payload), expectedVersion });
  }

  /** Issues a permit to a new person whose identity check is complete. */
  async function issued() {
    const { saleUuid } = sale;
    const session = await service.auth.signIn(`bidder-${randomUUID()}@example.com`);
    const { entities } = await service.asPerson(session);
    const { entity } = await entities.createEntity({ type: EntityType.PERSON, label: "Myself" });
    await entities.chooseDemoSetup({ entityUuid: entity?.uuid ?? "", state: SetupState.COMPLETE, country: "CH" });
    const access = { accessToken: await service.accessToken(session, saleUuid) };
    const asGateway = service.as("gateway");
    const { entities: listed } = await asGateway.entities.listAvailableEntities({ access, saleUuid });
    const entityUuid = listed[0]?.entityUuid ?? "";
    const { result } = await asGateway.permits.issuePermit({ access, saleUuid, entityUuid, wallet });
    if (result.case !== "issued") throw new Error(`the permit was refused: ${JSON.stringify(result)}`);
    const { permit, signature } = result.value;
    if (permit === undefined) throw new Error("there is no permit");
    return { permit: purchasePermitOf(permit), signature: toHex(signature) };
  }

  const bid = (amount: bigint, hookData: Hex) =>
    ({
      ...submitBid(auction, { maxPrice: 3n * Q96, amount, owner: wallet, hookData }),
      ...{ account: wallet, chain: null, gas: GAS },
    }) as const;

  /** `accepted`, or the name of the hook's error. */
  async function judged(amount: bigint, hookData: Hex): Promise<unknown> {
    const [name, reason] = await revertOf(chain.client.simulateContract(bid(amount, hookData) as never));
    if (name !== "ValidationHookCallFailed") return name;
    return decodeErrorResult({ abi: purchasePermitHook.abi, data: reason as Hex }).errorName;
  }

  it("are taken for what they say, bound no price, and bring the bid into the sale's figures", async () => {
    const { permit, signature } = await issued();
    expect(permit).toMatchObject({ wallet, minPrice: 0n, maxPrice: 2n ** 53n - 1n, payload: "0x", ...GROUP });
    const hookData = permitHookData(permit, signature);
    expect(await judged(1_000n, "0x")).toBe("HookDataTooShort");
    expect(await judged(999n, hookData)).toBe("BidBelowMinAmount");
    expect(await judged(5_001n, hookData)).toBe("BidExceedsMaxAmount");
    expect(await judged(1_000n, permitHookData({ ...permit, maxAmount: 6_000n }, signature))).toBe(
      "UnauthorizedSigner",
    );
    expect(await judged(5_000n, hookData)).toBe("accepted");
    await minedReceipt(chain, await chain.client.writeContract(bid(2_000n, hookData) as never));
    // All bids of the entity together.
    expect(await judged(3_001n, hookData)).toBe("BidExceedsMaxAmount");
    const { commitments } = service.auth.commitments;
    const figures = async () => (await commitments.getCommitmentData({ saleUuid: sale.saleUuid })).data;
    await until(async () => (await figures())?.commitmentCount === 1n);
    expect(await figures()).toMatchObject({ totalAmount: "2000" });
  });

  it("come of no rules with a payload, a lockup or bounds of prices", async () => {
    const violated = async (...rules: Parameters<typeof setGroup>) =>
      (await refusal(setGroup(...rules))).violations.map(({ field }) => field);
    expect(await violated({}, "settlement")).toEqual(["rules.payload"]);
    expect(await violated({ forcedLockup: true })).toEqual(["rules.groups[0].forced_lockup"]);
    expect(await violated({ minPriceTicks: 1n })).toEqual(["rules.groups[0].min_price_ticks"]);
  });
});
