import type { Address } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import {
  CONTRACT_SALE_UUID,
  directRows,
  openChainSale,
  storedRows,
  untilReadTo,
} from "../../support/chains/chain-sale.ts";
import { auctionCalls, deployAuctionSale, placeBids, readDirect, TOKENS } from "../../support/chains/sale-contract.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { bidOf, entityOf, pair, walletOf } from "../../support/databases/sale-rows.ts";
import type { CommitmentsProcess } from "../../support/processes/commitments-process.ts";
import {
  anvilChain,
  type IndexerProcess,
  startIndexedCommitments,
  startIndexerProcess,
} from "../../support/processes/indexer-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";

const ENTITIES = 3_000;

describe.skipIf(findAnvil() === undefined)("an auction on a chain (anvil)", () => {
  const stack = new AsyncDisposableStack();
  let anvil: Anvil;
  let chain: TestChain;
  let contract: Address;
  let service: CommitmentsProcess;
  let indexer: IndexerProcess;
  let saleUuid: string;

  beforeAll(async () => {
    anvil = await startAnvil();
    stack.defer(() => anvil.stop());
    chain = await TestChain.connect(anvil);
    contract = await deployAuctionSale(chain);
    const folder = await temporaryFolder();
    stack.defer(() => folder.remove());
    service = await startIndexedCommitments({ DATA_DIR: folder.path, APPLY_MAX_ROWS: "1000" });
    stack.defer(async () => void (await service.process.kill("SIGTERM")));
    indexer = await startIndexerProcess(
      service.url,
      { local: anvilChain(anvil.url, anvil.chainId) },
      { APPLY_MAX_ROWS: "1000" },
    );
    stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
  });
  afterAll(() => stack.disposeAsync());

  async function expectUpToDate(): Promise<void> {
    const height = await chain.client.getBlockNumber({ cacheTime: 0 });
    await untilReadTo(service, saleUuid, height);
    expect(await storedRows(service, saleUuid)).toEqual(directRows(await readDirect(chain.client, contract, height)));
  }

  it("is first read completely, in a change set, and isn't shown before", async () => {
    await chain.send(auctionCalls.setStage(contract, 1));
    await chain.mine();
    const bids = Array.from({ length: ENTITIES }, (_, entity) =>
      bidOf(entity, {
        price: BigInt(1 + (entity % 50)),
        added: [pair(), pair({ token: TOKENS[1], wallet: walletOf(2) })],
      }),
    );
    await placeBids(chain, contract, bids);
    saleUuid = await openChainSale(service, contract, CONTRACT_SALE_UUID);
    await expectUpToDate();
    const { data } = await service.commitments.getCommitmentData({ saleUuid });
    expect(data?.commitmentCount).toBe(BigInt(ENTITIES));
    expect(data?.totalAmount).toBe(String(ENTITIES * 2_000));
  });

  it("follows raises, new bids, cancellations, reductions and stages", async () => {
    await chain.send(auctionCalls.bid(contract, bidOf(7, { price: 90n, added: [pair({ wallet: walletOf(3) })] })));
    await chain.send(auctionCalls.bid(contract, bidOf(ENTITIES, { price: 60n })));
    await chain.mine();
    await expectUpToDate();
    await chain.send(auctionCalls.setStage(contract, 2));
    await chain.send(auctionCalls.cancel(contract, entityOf(8)));
    await chain.mine();
    await expectUpToDate();
    const { sale } = await service.sales.getSale({ saleUuid });
    expect(sale?.sourceStatus).toMatchObject({ fault: "", warning: "" });
  });

  it("follows a re-organisation that drops bids", async () => {
    await chain.send(auctionCalls.setStage(contract, 1));
    await chain.mine();
    await chain.send(auctionCalls.bid(contract, bidOf(9, { price: 99n })));
    await chain.mine();
    await expectUpToDate();
    await chain.reorg(1, []);
    await chain.mine(2);
    await expectUpToDate();
  });
});
