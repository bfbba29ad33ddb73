import { randomUUID } from "node:crypto";
import { type Client, createClient } from "@connectrpc/connect";
import { getAddress, parseEventLogs } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Position, PositionCommitment } from "../../../client/sale.ts";
import { ChainConnections } from "../../../common/contracts/connecting/chain-connections.ts";
import { routerTransport } from "../../../common/platform/rpc/testing/router-transport.ts";
import { memoryDatabases } from "../../../common/platform/testing/memory-databases.ts";
import { proposedDefinition } from "../../../common/sale/definition/proposed-definition.ts";
import { createExtraDataParser } from "../../../common/sale/figures/extra-data.ts";
import { positionBody } from "../../../gateway/public-read/position/position-body.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { ALLOWED_CALLERS } from "../../../services/commitments/allowed-callers.ts";
import { acquireSaleLease } from "../../../services/commitments/applying/acquire-sale-lease-rpc.ts";
import { applyCommitments } from "../../../services/commitments/applying/apply-commitments-rpc.ts";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import { createCommitmentsStore } from "../../../services/commitments/create-store.ts";
import { migrateStore, openStore } from "../../../services/commitments/open-store.ts";
import { getPositionRpc, type PositionContext } from "../../../services/commitments/positions/get-position-rpc.ts";
import { indexerBidExits } from "../../../services/commitments/positions/indexer-bid-exits.ts";
import { createSale } from "../../../services/commitments/sales/create-sale-rpc.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { ExitReads } from "../../../services/indexer/rpc/exit-reads.ts";
import { getBidExits } from "../../../services/indexer/rpc/get-bid-exits.ts";
import { ALLOWED_CALLERS as INDEXER_CALLERS } from "../../../services/indexer/rpc/routes.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import {
  type AuctionOptions,
  auctionCall,
  type DeployedAuction,
  deployContinuousAuction,
  mineTo,
  Q96,
  submitBid,
} from "../../support/chains/continuous-auction.ts";
import { evmChain } from "../../support/chains/evm-reader-fixture.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { APPLY_OPTIONS } from "../../support/databases/commitments-database.ts";
import { walletOf } from "../../support/databases/sale-rows.ts";
import { ModelStore } from "../../support/models/model-store.ts";
import { openUnchecked } from "../../support/sales/unchecked-sales.ts";

const STEPS = [{ mps: 200_000n, blocks: 50n }];
const REST_MS = 3_600_000;
const { signal } = new AbortController();
const openDatabase = memoryDatabases(openStore, migrateStore);

/** A sale of an auction, whose positions are read as the gateway shows them. */
class FollowedAuction implements AsyncDisposable {
  readonly auction: DeployedAuction;
  readonly #chain: TestChain;
  readonly #store: CommitmentsStore;
  readonly #commitments: Pick<Client<typeof CommitmentService>, "getPosition">;
  readonly #saleUuid = randomUUID();
  readonly #connections: ChainConnections;
  readonly #chainName: string;
  #millis = 0;

  private constructor(
    chain: TestChain,
    auction: DeployedAuction,
    connections: ChainConnections,
    store: CommitmentsStore,
  ) {
    this.#chain = chain;
    this.auction = auction;
    this.#connections = connections;
    this.#chainName = connections.names()[0] ?? "";
    this.#store = store;
    const reads = new ExitReads(connections, { clock: { now: () => this.#millis } });
    const indexer = createClient(
      IndexerService,
      routerTransport({
        allowed: INDEXER_CALLERS,
        caller: "commitments",
        routes: (router) => void router.service(IndexerService, { getBidExits: getBidExits(connections, reads) }),
      }),
    );
    const bidExits = indexerBidExits(indexer);
    const context = { store, extraDataParser: createExtraDataParser, bidExits } as unknown as PositionContext;
    this.#commitments = createClient(
      CommitmentService,
      routerTransport({
        allowed: ALLOWED_CALLERS,
        caller: "gateway",
        routes: (router) => void router.service(CommitmentService, { getPosition: getPositionRpc(context) }),
      }),
    );
  }

  static async start(chain: TestChain, { url, chainId }: Anvil, options: AuctionOptions): Promise<FollowedAuction> {
    const auction = await deployContinuousAuction(chain, options);
    await chain.mine();
    await mineTo(chain, auction.startBlock);
    const connections = await ChainConnections.open([evmChain([url], { chainId })]);
    return new FollowedAuction(chain, auction, connections, createCommitmentsStore(await openDatabase()));
  }

  /** Sends calls in one block. @returns the auction's last event in it */
  async mined(...calls: readonly ReturnType<typeof auctionCall>[]) {
    const hashes: `0x${string}`[] = [];
    for (const call of calls) hashes.push(await this.#chain.send(call));
    await this.#chain.mine();
    const { logs } = await this.#chain.client.getTransactionReceipt({ hash: hashes.at(-1) ?? "0x" });
    return parseEventLogs({ abi: this.auction.abi, logs }).at(-1);
  }

  /** Opens the sale with the rows of the auction's bids. */
  async open(): Promise<void> {
    const connection = this.#connections.get(this.#chainName);
    const { address } = this.auction;
    const { auction } = await connection.check({ address, contractFamily: "cca" }, signal);
    const place = { chain: this.#chainName, contract: address.toLowerCase() };
    const definition =
      auction &&
      proposedDefinition(place, { ...auction, ...auction.terms, currency: auction.currency, token: auction.token });
    if (definition === undefined) throw new Error("the auction can't be set up");
    const saleUuid = this.#saleUuid;
    await createSale(this.#store, {
      uuid: saleUuid,
      tenancy: "test",
      definition: { ...definition, name: "Auction" },
      ownerAccountUuid: "",
    });
    await openUnchecked(this.#store, saleUuid, definition);
    const rows = new ModelStore([auction?.currency.address ?? ""]);
    const reader = connection.createReader({ saleUuid, address, contractFamily: "cca" });
    const snapshot = await reader.next(rows, signal);
    if (snapshot === undefined) throw new Error("the auction can't be read");
    await rows.apply(snapshot);
    const { epoch: leaseEpoch } = await acquireSaleLease(this.#store, {
      saleUuid,
      holder: "test",
      durationMillis: 600_000n,
    });
    const request = {
      saleUuid,
      requestId: randomUUID(),
      leaseEpoch,
      stage: "commitment" as const,
      upserts: rows.visible,
      removals: [],
    };
    await applyCommitments(this.#store, request, APPLY_OPTIONS);
  }

  /** Reads what the public read says of an owner's bids once it has read the newest block. */
  async position(owner: string): Promise<Position> {
    const head = await this.#chain.client.getBlockNumber({ cacheTime: 0 });
    const height = async () => {
      this.#millis += REST_MS;
      return BigInt((await this.#read(owner)).ExitsAsOfBlock ?? 0);
    };
    await expect.poll(height).toBeGreaterThanOrEqual(head);
    return this.#read(owner);
  }

  async #read(wallet: string): Promise<Position> {
    const answer = await this.#commitments.getPosition({ saleUuid: this.#saleUuid, wallet });
    return JSON.parse(positionBody(answer).toString("utf8"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections.close();
    await this.#store.database.close();
  }
}

describe.skipIf(findAnvil() === undefined)("calls by which bids leave, as the public read says them (anvil)", () => {
  let anvil: Anvil;
  let chain: TestChain;

  beforeAll(async () => {
    anvil = await startAnvil();
    chain = await TestChain.connect(anvil);
  });
  afterAll(() => anvil?.stop());

  const OWNERS = [1, 2, 3].map(walletOf);

  /** Sends the call that a look-up names, and expects the refund and the tokens that it has said. */
  async function leave(followed: FollowedAuction, { Exit }: PositionCommitment, owner: string): Promise<void> {
    const { Function: name = "", Arguments = [], Tokens, RefundAmount } = Exit ?? {};
    const event = await followed.mined(auctionCall(followed.auction, name, ...Arguments.map(BigInt)));
    expect(event).toMatchObject({
      eventName: "BidExited",
      args: {
        bidId: BigInt(Arguments[0] ?? ""),
        owner: getAddress(owner),
        tokensFilled: BigInt(Tokens ?? ""),
        currencyRefunded: BigInt(RefundAmount ?? ""),
      },
    });
  }

  it.each(["1.0.0", "1.1.0"] as const)(
    "let outbid bids leave after a checkpoint, and all others at the end (version %s)",
    async (version) => {
      await using followed = await FollowedAuction.start(chain, anvil, { version, supply: 1_000n, steps: STEPS });
      const { auction } = followed;
      const bid = (owner: string, price: bigint, amount: bigint) =>
        submitBid(auction, { maxPrice: price * Q96, amount, owner: owner as `0x${string}` });
      const [first = "", second = "", third = ""] = OWNERS;
      const standing = async (owner: string) =>
        (await followed.position(owner)).Commitments.map(({ Exit }) => Exit?.Standing);
      await followed.mined(bid(first, 2n, 900n));
      await mineTo(chain, auction.startBlock + 20n);
      await followed.mined(bid(second, 9n, 5_000n), bid(first, 3n, 10n), bid(third, 20n, 10n));
      await followed.open();

      expect([await standing(first), await standing(second)]).toEqual([
        ["awaits_checkpoint", "awaits_checkpoint"],
        ["may_get_more"],
      ]);
      await followed.mined(auctionCall(auction, "checkpoint"));
      const outbid = await followed.position(first);
      expect(outbid.Commitments).toMatchObject(
        ["900", "10"].map((amount) => ({ Amounts: [{ Amount: amount }], Exit: { Standing: "outbid" } })),
      );
      for (const commitment of outbid.Commitments) {
        const { SpentAmount, RefundAmount } = commitment.Exit ?? {};
        expect(String(BigInt(SpentAmount ?? "") + BigInt(RefundAmount ?? ""))).toBe(commitment.Amounts[0]?.Amount);
        await leave(followed, commitment, first);
      }

      await mineTo(chain, auction.endBlock);
      const [over, above] = [await followed.position(second), await followed.position(third)];
      expect(over.Commitments).toMatchObject([{ Exit: { Function: expect.any(String) } }]);
      expect(above.Commitments).toMatchObject([{ Exit: { Standing: "above_final_price", Function: "exitBid" } }]);
      for (const [owner, { Commitments }] of [
        [second, over],
        [third, above],
      ] as const) {
        for (const commitment of Commitments) await leave(followed, commitment, owner);
      }
    },
  );

  it("refund all where too little was raised", async () => {
    const options = { version: "1.1.0", supply: 1_000n, steps: STEPS, required: 10n ** 9n } as const;
    await using followed = await FollowedAuction.start(chain, anvil, options);
    const { auction } = followed;
    const [owner = ""] = OWNERS;
    await followed.mined(submitBid(auction, { maxPrice: 2n * Q96, amount: 900n, owner: owner as `0x${string}` }));
    await followed.open();
    await mineTo(chain, auction.endBlock);
    const { Commitments } = await followed.position(owner);
    expect(Commitments).toMatchObject([{ Exit: { Standing: "not_graduated", RefundAmount: "900" } }]);
    for (const commitment of Commitments) await leave(followed, commitment, owner);
  });
});
