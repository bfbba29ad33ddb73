import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { wideSale } from "../../contracts/artefacts/wide-sale.ts";
import { startAnvil } from "../../support/chains/anvil.ts";
import { directRows, openChainSale, storedRows, untilReadTo } from "../../support/chains/chain-sale.ts";
import { deployWideSale, readDirect, wideCalls } from "../../support/chains/sale-contract.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { walletOf } from "../../support/databases/sale-rows.ts";
import type { CommitmentsProcess } from "../../support/processes/commitments-process.ts";
import {
  anvilChain,
  type IndexerProcess,
  startIndexedCommitments,
  startIndexerProcess,
} from "../../support/processes/indexer-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";

const GAS_LIMIT = 30_000_000n;
const ROWS = 500;
const WALLETS = 12;

describe.skipIf(findAnvil() === undefined)("500 rows with 24 wallet-token pairs each (anvil, 30 million gas)", () => {
  const stack = new AsyncDisposableStack();
  let chain: TestChain;
  let service: CommitmentsProcess;
  let indexer: IndexerProcess;

  beforeAll(async () => {
    const anvil = await startAnvil({ gasLimit: GAS_LIMIT });
    stack.defer(() => anvil.stop());
    chain = await TestChain.connect(anvil);
    const folder = await temporaryFolder();
    stack.defer(() => folder.remove());
    service = await startIndexedCommitments({ DATA_DIR: folder.path });
    stack.defer(async () => void (await service.process.kill("SIGTERM")));
    indexer = await startIndexerProcess(service.url, { local: anvilChain(anvil.url, anvil.chainId) });
    stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
  });
  afterAll(() => stack.disposeAsync());

  it("are too many for one call, and are read and checked nevertheless", async () => {
    const contract = await deployWideSale(
      chain,
      Array.from({ length: WALLETS }, (_, wallet) => walletOf(wallet)),
    );
    await chain.send(wideCalls.commit(contract, ROWS));
    await chain.mine();
    const height = await chain.client.getBlockNumber({ cacheTime: 0 });
    const call = { address: contract, abi: wideSale.abi, functionName: "readCommitmentDataIn" } as const;
    await expect(chain.client.readContract({ ...call, args: [0n, BigInt(ROWS)] })).rejects.toThrow(
      "EVM error MemoryOOG",
    );

    const check = await indexer.indexer.checkSource({ chain: "local", address: contract });
    expect(check).toMatchObject({ readable: true, problems: [], commitmentCount: BigInt(ROWS) });
    const saleUuid = await openChainSale(service, contract);
    await untilReadTo(service, saleUuid, height);
    expect(await storedRows(service, saleUuid)).toEqual(
      directRows(await readDirect(chain.client, contract, height, 50n)),
    );
  });
});
