import { randomUUID } from "node:crypto";
import { type Address, hexToBytes, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { FailureReason } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import {
  DisputedWalletState,
  EntityType,
  SetupState,
  WalletKind,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
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
  permitSaleCalls,
  permittedBid,
} from "../../support/chains/permit-sale.ts";
import { purchasePermitOf } from "../../support/chains/purchase-permit.ts";
import { auctionCalls } from "../../support/chains/sale-contract.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { databases } from "../../support/databases/databases.ts";
import type { SignedIn } from "../../support/processes/auth-fixture.ts";
import type { EntitiesClients } from "../../support/processes/entities-clients.ts";
import type { EntitiesFixture } from "../../support/processes/entities-fixture.ts";
import { startIndexedEntities } from "../../support/processes/indexed-entities.ts";
import { anvilChain } from "../../support/processes/indexer-process.ts";
import { until } from "../../support/repository/polling.ts";
import { type OwnedSale, ownedSale, sampleRulesMessage } from "../../support/sales/participation-sales.ts";
import { auction, evmSource } from "../../support/sales/sale-messages.ts";

const { WALLET_NOT_LINKED } = FailureReason;
const { DISPLACED, HELD, BID_OF_ANOTHER, FREE } = DisputedWalletState;
const CHAIN = "local";
const MINUTE_S = 60n;
/** `PERMIT_LIFETIME_MS` and `BID_FINALITY_MS`. */
const [LIFETIME_S, FINALITY_S] = [10n * MINUTE_S, 15n * MINUTE_S];

/** A smart account that accepts every signature: returns EIP-1271's magic value to every call. */
const ACCOUNT_CODE = `0x631626ba7e60e01b60005260206000f3`;

interface Participant {
  readonly session: SignedIn;
  readonly clients: EntitiesClients;
  readonly accessToken: string;
  readonly entityUuid: string;
  /** `SaleEntity.entity_uuid` */
  readonly publicUuid: string;
  /** In the contract. */
  readonly entityId: `0x${string}`;
}

describe.skipIf(findAnvil() === undefined)("wallets that two entities want, in a contract (anvil)", () => {
  const stack = new AsyncDisposableStack();
  let anvil: Anvil;
  /** Another chain, where other people have the same addresses. */
  let other: Anvil;
  let chain: TestChain;
  let service: EntitiesFixture;
  let token: Address;
  let contract: Address;
  let sale: OwnedSale;
  let wallets: readonly Address[];

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
    const { url, chainId } = anvil;
    other = await startAnvil({ mining: "auto", chainId: 31_338 });
    stack.defer(() => other.stop());
    const chains = { [CHAIN]: anvilChain(url, chainId), other: anvilChain(other.url, other.chainId) };
    service = await startIndexedEntities(database, chains, { identity });
    stack.defer(() => service.stop());
    token = await deployFreeToken(chain);
    await openSale();
    await chain.client.setNextBlockTimestamp({ timestamp: service.auth.time.now() / 1_000n });
    await chain.mine();
    await chain.client.setBlockTimestampInterval({ interval: 0 });
  });
  afterAll(() => stack.disposeAsync());

  function definitionWith(address: Address) {
    const source = evmSource({ chain: CHAIN, contract: address.toLowerCase() });
    return auction({ source, paymentTokens: [{ address: token.toLowerCase(), decimals: 6, usdStablecoin: true }] });
  }

  /** Sets up a sale whose contract takes bids, and a key that the contract knows. */
  async function openSale(): Promise<void> {
    sale = await ownedSale(service, "founder", definitionWith(`0x${"0e".repeat(20)}`));
    const { saleUuid } = sale;
    const { sales } = service.auth.commitments;
    contract = await deployPermitSale(chain, { saleUuid: contractUuid(saleUuid), tokens: [token], maxWallets: 2 });
    await chain.send(auctionCalls.setStage(contract, 1));
    const { sale: draft } = await sales.getSale({ saleUuid });
    const expectedDefinitionVersion = draft?.definitionVersion ?? 0n;
    await sales.updateSale({ saleUuid, definition: definitionWith(contract), expectedDefinitionVersion });
    const { key } = await sale.permits.createKey({ saleUuid });
    await chain.send(permitSaleCalls.grantSigner(contract, (key?.address ?? "") as Address));
    await sale.permits.activateKey({ saleUuid, keyUuid: key?.keyUuid ?? "" });
    const { version } = await sale.eligibility.getRules({ saleUuid });
    const groups = [sampleGroup({ minAmount: 1n, maxAmount: 900_000_000n, minPriceTicks: 20n, maxPriceTicks: 60n })];
    const rules = sampleRulesMessage({ groups, payload: "settlement" });
    const changed = { ...rules, wallets: { ...rules.wallets, maxWalletsPerEntity: 2 } } as never;
    await sale.eligibility.updateRules({ saleUuid, rules: changed, expectedVersion: version });
    await service.applicationOf(saleUuid);
    await sales.openSale({ saleUuid, overrideConfirmName: "Auction" });
    await until(async () => (await sales.getSale({ saleUuid })).sale?.stage === SaleStage.COMMITMENT);
  }

  async function participant(): Promise<Participant> {
    const session = await service.auth.signIn(`bidder-${randomUUID()}@example.com`);
    const clients = await service.asPerson(session);
    const { entity } = await clients.entities.createEntity({ type: EntityType.PERSON, label: "Myself" });
    const entityUuid = entity?.uuid ?? "";
    await clients.entities.chooseDemoSetup({ entityUuid, state: SetupState.COMPLETE, country: "CH" });
    const accessToken = await service.accessToken(session, sale.saleUuid);
    const asGateway = service.as("gateway").entities;
    const listed = await asGateway.listAvailableEntities({ access: { accessToken }, saleUuid: sale.saleUuid });
    const [known] = listed.entities;
    if (known === undefined) throw new Error("the application sees no entity");
    return {
      session,
      clients,
      accessToken,
      entityUuid,
      publicUuid: known.entityUuid,
      entityId: toHex(known.saleSpecificEntityId),
    };
  }

  /** Gives somebody tokens of now. */
  async function withTokens({ session, ...known }: Participant): Promise<Participant> {
    const accessToken = await service.accessToken(session, sale.saleUuid);
    return { ...known, session, accessToken, clients: await service.asPerson(session) };
  }

  /** Asks for a permit. @returns the reason of a refusal */
  async function permit(
    { accessToken, publicUuid }: Participant,
    wallet: Address,
  ): Promise<SignedPermit | FailureReason> {
    const request = { access: { accessToken }, saleUuid: sale.saleUuid, entityUuid: publicUuid, wallet };
    const { result } = await service.as("gateway").permits.issuePermit(request);
    return result.case === "issued" ? result.value : (result.value?.reason ?? FailureReason.UNSPECIFIED);
  }

  async function issued(asking: Participant, wallet: Address): Promise<SignedPermit> {
    const given = await permit(asking, wallet);
    if (typeof given === "number") throw new Error(`the permit was refused: ${given}`);
    return given;
  }

  /** The answer of the eligibility check. */
  async function eligibility(
    { accessToken, publicUuid }: Participant,
    wallet: Address,
  ): Promise<"ready" | FailureReason> {
    const request = { access: { accessToken }, saleUuid: sale.saleUuid, entityUuid: publicUuid, wallet };
    const { ready, failure } = await service.as("gateway").eligibility.checkEligibility(request);
    return ready ? "ready" : failure;
  }

  const placed = ({ permit: message, signature }: SignedPermit) => {
    if (message === undefined) throw new Error("there is no permit");
    const purchase = purchasePermitOf(message);
    const bid = { lockup: false, price: purchase.minPrice, amount: purchase.minAmount };
    return { token, permit: purchase, signature: toHex(signature), bid };
  };

  async function bid(by: SignedPermit, wallet: Address): Promise<void> {
    const call = { ...permittedBid(contract, placed(by)), account: wallet, chain: null };
    await minedReceipt(chain, await chain.client.writeContract(call));
  }

  const wouldBe = async (by: SignedPermit, wallet: Address) => (await outcome(chain, contract, placed(by), wallet))[0];

  async function link({ clients, entityUuid }: Participant, wallet: Address, on: Anvil = anvil) {
    const chainId = BigInt(on.chainId);
    const asked = await clients.wallets.beginWalletLink({ entityUuid, kind: WalletKind.EVM, address: wallet, chainId });
    const isAccount = !wallets.includes(wallet);
    const signature = isAccount ? "0x01" : await chain.client.signMessage({ account: wallet, message: asked.text });
    const { linkHandle } = asked;
    return clients.wallets.completeWalletLink({ linkHandle, signature: new Uint8Array(hexToBytes(signature)) });
  }

  async function dispute({ clients, entityUuid }: Participant): Promise<DisputedWalletState | undefined> {
    const { disputedWallets } = await clients.entities.getEntity({ entityUuid });
    return disputedWallets[0]?.state;
  }

  /** Mines a block so much later than the newest one, and waits until it was read. */
  async function mineLater(seconds: bigint): Promise<void> {
    const { timestamp } = await chain.client.getBlock();
    await chain.client.setNextBlockTimestamp({ timestamp: timestamp + seconds });
    await chain.mine();
    await chain.mine();
    await chain.mine();
    const { sales } = service.auth.commitments;
    await until(async () => {
      const { sale: read } = await sales.getSale({ saleUuid: sale.saleUuid });
      return (read?.feedState?.asOf?.blockTime?.seconds ?? 0n) >= timestamp + seconds;
    });
  }

  it("stay the bidder's whose permit was valid when another entity proved them, and the other one is told so", async () => {
    const wallet = wallets[0] as Address;
    await fund(chain, wallet, token, contract);
    const [first, owner] = [await participant(), await participant()];
    const given = await issued(first, wallet);
    await link(owner, wallet);
    expect([await permit(first, wallet), await permit(owner, wallet)]).toEqual([WALLET_NOT_LINKED, WALLET_NOT_LINKED]);
    expect([await dispute(first), await dispute(owner)]).toEqual([DISPLACED, HELD]);
    await bid(given, wallet);
    await until(async () => (await dispute(owner)) === BID_OF_ANOTHER);
    expect([await eligibility(first, wallet), await eligibility(owner, wallet)]).toEqual(["ready", WALLET_NOT_LINKED]);
    expect(await wouldBe(await issued(first, wallet), wallet)).toBe("accepted");
    expect(await permit(owner, wallet)).toBe(WALLET_NOT_LINKED);
  });

  it("move to who has proved them once the last permit has ended without a bid, by the chain's clock", async () => {
    const wallet = wallets[1] as Address;
    await fund(chain, wallet, token, contract);
    let [first, owner] = [await participant(), await participant()];
    const given = await issued(first, wallet);
    await link(owner, wallet);
    await mineLater(LIFETIME_S + MINUTE_S);
    expect(await wouldBe(given, wallet)).toBe("PurchasePermitExpired");
    expect([await permit(owner, wallet), await dispute(owner)]).toEqual([WALLET_NOT_LINKED, HELD]);
    await mineLater(FINALITY_S);
    expect([await dispute(owner), await eligibility(owner, wallet)]).toEqual([FREE, "ready"]);
    service.auth.time.advance(Number(LIFETIME_S + FINALITY_S + 2n * MINUTE_S) * 1_000);
    [first, owner] = [await withTokens(first), await withTokens(owner)];
    const moved = await issued(owner, wallet);
    expect(await wouldBe(moved, wallet)).toBe("accepted");
    expect([await permit(first, wallet), await eligibility(first, wallet)]).toEqual([
      WALLET_NOT_LINKED,
      WALLET_NOT_LINKED,
    ]);
    expect([await dispute(first), await dispute(owner)]).toEqual([undefined, undefined]);
  });

  it("that an earlier version gave to another entity go back to the one to which the contract has tied them", async () => {
    const wallet = wallets[2] as Address;
    await fund(chain, wallet, token, contract);
    const [first, owner] = [await participant(), await participant()];
    const given = await issued(first, wallet);
    await link(owner, wallet);
    const { query } = service.database;
    const uuid = (text: string) => Buffer.from(text.replaceAll("-", ""), "hex");
    await query
      .updateTable("sale_wallet")
      .set({ entity: uuid(owner.entityUuid), chain_id: null, proved_at_ms: 1n })
      .where("entity", "=", uuid(first.entityUuid))
      .execute();
    await bid(given, wallet);
    await until(async () => (await eligibility(owner, wallet)) === WALLET_NOT_LINKED);
    expect(await permit(owner, wallet)).toBe(WALLET_NOT_LINKED);
    expect(await eligibility(first, wallet)).toBe("ready");
    expect(await wouldBe(await issued(first, wallet), wallet)).toBe("accepted");
  });

  it("count by a smart account's signature in sales of its chain, and one of another chain takes nothing", async () => {
    const account: Address = `0x${"ac".repeat(20)}`;
    const elsewhere = await participant();
    const code = { address: account, bytecode: ACCOUNT_CODE } as const;
    const otherChain = await TestChain.connect(other);
    // Anvil answers calls at its first block with another time.
    await otherChain.mine();
    await otherChain.client.setCode(code);
    const proof = await link(elsewhere, account, other);
    expect(proof.wallet).toMatchObject({ countsEverywhere: false, chainIds: [BigInt(other.chainId)] });
    // On the sale's chain it is another person's.
    await chain.client.setCode(code);
    const owner = await participant();
    await issued(owner, account);
    await issued(owner, account);
    expect(await permit(elsewhere, account)).toBe(WALLET_NOT_LINKED);
    expect([await dispute(owner), await dispute(elsewhere)]).toEqual([undefined, undefined]);
    expect((await link(owner, account)).wallet).toMatchObject({ chainIds: [BigInt(anvil.chainId)] });
    await issued(owner, account);
  });
});
