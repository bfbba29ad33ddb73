import { type Address, hexToBytes } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChainConnection } from "../../../common/contracts/chain-connection.ts";
import { connectEvmChain } from "../../../common/contracts/connecting/evm/connect-evm-chain.ts";
import type { SourceReader } from "../../../common/contracts/source-reader.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { Random } from "../../../services/demo/bidders/random.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { CONTRACT_SALE_UUID, directRows, openChainSale, storedRows } from "../../support/chains/chain-sale.ts";
import { evmChain } from "../../support/chains/evm-reader-fixture.ts";
import {
  auctionCalls,
  deployAuctionSale,
  placeBids,
  readDirect,
  SALE_UUID,
  TOKENS,
} from "../../support/chains/sale-contract.ts";
import { type ContractCall, TestChain } from "../../support/chains/test-chain.ts";
import { bidOf, entityOf, pair, walletOf } from "../../support/databases/sale-rows.ts";
import { ModelStore } from "../../support/models/model-store.ts";
import { anvilChain, startIndexedCommitments, startIndexerProcess } from "../../support/processes/indexer-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { until } from "../../support/repository/polling.ts";

const ROUNDS = process.env["TEST_LONG"] === "1" ? 60 : 8;
const ENTITIES = 20;
/** Entities that may join on one side of a fork, on both or on none. */
const NEWCOMERS = 30;
const DEEPEST = 6;
const COMMITMENT = 1;
const CANCELLATION = 2;
/** More than all reductions of a test. */
const FIRST_AMOUNT = 1_000_000n;

const signal = new AbortController().signal;

/** Random calls of an auction that never revert, whichever of the earlier ones were abandoned. */
class Bidders {
  readonly #contract: Address;
  readonly #random: Random;
  #price = 100n;

  constructor(contract: Address, random: Random) {
    this.#contract = contract;
    this.#random = random;
  }

  bids(most: number): readonly ContractCall[] {
    return Array.from({ length: this.#random.integer(0, most) }, () => {
      this.#price += 1n;
      const entity = this.#random.integer(0, ENTITIES + NEWCOMERS - 1);
      const [token = TOKENS[0], wallet] = [this.#random.pick(TOKENS), walletOf(this.#random.integer(1, 3))];
      const added = [pair({ token, wallet, amount: BigInt(this.#random.integer(0, 1_000)) })];
      const lockup = this.#random.next() < 0.5;
      return auctionCalls.bid(this.#contract, bidOf(entity, { price: this.#price, lockup, added }));
    });
  }

  reductions(most: number): readonly ContractCall[] {
    return Array.from({ length: this.#random.integer(0, most) }, () => {
      const entity = entityOf(this.#random.integer(0, ENTITIES - 1));
      return auctionCalls.reduce(this.#contract, entity, pair({ amount: BigInt(this.#random.integer(1, 100)) }));
    });
  }
}

describe.skipIf(findAnvil() === undefined)("re-organisations (anvil)", () => {
  let anvil: Anvil;
  let chain: TestChain;
  let connection: ChainConnection;

  beforeAll(async () => {
    anvil = await startAnvil();
    chain = await TestChain.connect(anvil);
    connection = connectEvmChain(evmChain([anvil.url], { chainId: anvil.chainId }));
  });

  afterAll(async () => {
    await connection?.close();
    await anvil?.stop();
  });

  async function auction(): Promise<Address> {
    const contract = await deployAuctionSale(chain);
    await chain.send(auctionCalls.setStage(contract, COMMITMENT));
    const added = [pair({ amount: FIRST_AMOUNT })];
    const bids = Array.from({ length: ENTITIES }, (_, entity) => bidOf(entity, { added }));
    await placeBids(chain, contract, bids);
    return contract;
  }

  /** Reads until the store has the head, and compares it after each read with the contract. @returns the kinds of reads. */
  async function readAll(reader: SourceReader, store: ModelStore, contract: Address): Promise<ReadonlySet<string>> {
    const head = await chain.client.getBlock({ blockTag: "latest" });
    const kinds = new Set<string>();
    while (store.position?.hash !== head.hash?.slice(2)) {
      const snapshot = await reader.next(store, signal);
      if (snapshot === undefined) continue;
      await store.apply(snapshot);
      reader.applied(snapshot);
      kinds.add(snapshot.kind);
      expect(store.visible).toEqual(await readDirect(chain.client, contract, snapshot.position.height));
      await reader.prove?.(store, signal);
    }
    return kinds;
  }

  it.each([1, 2, 3])(
    "of any depth, the stored rows are the contract's after each, without a sweep (choices %i)",
    async (seed) => {
      const random = new Random(seed);
      const contract = await auction();
      const store = new ModelStore(TOKENS);
      const reader = connection.createReader({
        address: contract,
        saleUuid: uuidFromBytes(hexToBytes(SALE_UUID)),
      });
      const bidders = new Bidders(contract, random);
      await readAll(reader, store, contract);

      const follow = async (calls: (most: number) => readonly ContractCall[]) => {
        const depth = random.integer(1, DEEPEST);
        for (let block = 0; block < depth; block += 1) {
          for (const call of calls(3)) await chain.send(call);
          await chain.mine();
          if (random.next() < 0.5) expect(await readAll(reader, store, contract)).toEqual(new Set(["partial"]));
        }
        await readAll(reader, store, contract);
        const replacements = Array.from({ length: depth }, (_, block) => calls(3).map((call) => ({ call, block })));
        await chain.reorg(depth, replacements.flat());
        expect(await readAll(reader, store, contract)).toEqual(new Set(["partial"]));
      };
      for (let round = 0; round < ROUNDS; round += 1) await follow((most) => bidders.bids(most));

      await chain.send(auctionCalls.setStage(contract, CANCELLATION));
      // A change of stage causes a sweep.
      for (let block = 0; block < DEEPEST; block += 1) {
        await chain.mine();
        await readAll(reader, store, contract);
      }
      for (let round = 0; round < ROUNDS; round += 1) await follow((most) => bidders.reductions(most));
    },
  );

  it("show with the node's announcement, not with the next poll", async () => {
    await using stack = new AsyncDisposableStack();
    const contract = await auction();
    const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
    const service = await startIndexedCommitments({ DATA_DIR: folder.path });
    stack.defer(async () => void (await service.process.kill("SIGTERM")));
    const local = anvilChain(anvil.url, anvil.chainId, { webSocketUrl: anvil.wsUrl, pollInterval: "600000ms" });
    const indexer = await startIndexerProcess(service.url, { local });
    stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
    const saleUuid = await openChainSale(service, contract, CONTRACT_SALE_UUID);
    const isShown = async () => {
      const expected = directRows(await readDirect(chain.client, contract));
      const rows = await storedRows(service, saleUuid).catch(() => []);
      return JSON.stringify(rows) === JSON.stringify(expected);
    };
    // Until the indexer listens to announcements.
    for (let entity = 100; !(await isShown()); entity += 1) {
      await chain.send(auctionCalls.bid(contract, bidOf(entity)));
      await chain.mine();
    }
    for (let entity = 500; entity < 505; entity += 1) {
      await chain.send(auctionCalls.bid(contract, bidOf(entity)));
      await chain.mine();
    }
    await until(isShown);
    const call = auctionCalls.bid(contract, bidOf(600));
    await chain.reorg(5, [{ call, block: 2 }]);
    await until(isShown);
    const kinds = indexer.process.output().match(/"kind":"\w+"/g);
    expect(kinds?.at(-1)).toBe('"kind":"partial"');
  });
});
