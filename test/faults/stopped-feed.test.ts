import { randomUUID } from "node:crypto";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { afterEach, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { type StreamPart, StreamReader } from "../../gateway/testing/stream-reader.ts";
import { FeedFault } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { findAnvil } from "../../services/demo/chain/find-anvil.ts";
import { startAnvil } from "../support/chains/anvil.ts";
import { contractUuid, openChainSale } from "../support/chains/chain-sale.ts";
import { deployAuctionSale } from "../support/chains/sale-contract.ts";
import { TestChain } from "../support/chains/test-chain.ts";
import { startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { startGatewayProcess } from "../support/processes/gateway-process.ts";
import { anvilChain, indexerKey, startIndexerProcess } from "../support/processes/indexer-process.ts";
import { RestartableProcess } from "../support/processes/restartable-process.ts";
import { TcpProxy } from "../support/processes/tcp-proxy.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { until } from "../support/repository/polling.ts";

const UNREADABLE = "The sale's contract can't be read at the moment.";
const NO_INDEXER = "The sale's contract isn't being read at the moment.";
const UNREACHABLE = "The sale's figures can't be brought up to date at the moment.";

const stack = new AsyncDisposableStack();
afterEach(() => stack.disposeAsync());

/** Starts a sale on a chain that can be cut off, with a process of each component. */
async function start() {
  const anvil = stack.adopt(await startAnvil(), (started) => started.stop());
  const chain = await TestChain.connect(anvil);
  const node = stack.use(await TcpProxy.start([Number(new URL(anvil.url).port)]));
  const saleUuid = randomUUID();
  const contract = await deployAuctionSale(chain, { saleUuid: contractUuid(saleUuid) });
  const [operator, gatewayKey] = [generateCallerKey(), generateCallerKey()];
  const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  const startService = (port = 0) =>
    startCommitmentsProcess(
      { DATA_DIR: folder.path },
      { port, key: operator, otherCallers: { indexer: indexerKey.text, gateway: gatewayKey.text } },
    );
  const first = await startService();
  const { url, sales } = first;
  const service = new RestartableProcess(() => startService(Number(new URL(url).port)), first);
  stack.defer(async () => void (await service.kill("SIGTERM")));
  await openChainSale(first, contract, saleUuid);
  const local = anvilChain(`http://127.0.0.1:${node.port}`, anvil.chainId, { requestTimeout: "1s" });
  const startIndexer = () => startIndexerProcess(url, { local });
  const indexer = new RestartableProcess(startIndexer, await startIndexer());
  stack.defer(async () => void (await indexer.kill("SIGTERM")));
  const env = { COMMITMENTS_URL: url, CALLER_NAME: "gateway", CALLER_KEY: gatewayKey.text };
  const gateway = await startGatewayProcess(env);
  stack.defer(async () => void (await gateway.process.kill("SIGTERM")));
  await until(async () => (await gateway.get(saleUuid)).status === 200);
  const stream = await StreamReader.open(`${gateway.url}/svc/v1/public/sales/${saleUuid}/commitment-data/stream`);
  stack.defer(() => stream.close());
  const feedState = async () => (await sales.getSale({ saleUuid })).sale?.feedState;
  return { chain, node, service, indexer, gateway, saleUuid, stream, feedState };
}

const contentOf = ({ data = "" }: StreamPart) => JSON.parse(data);

/** Reads on until a `state` event has a fault. @returns its content */
async function stateWith(stream: StreamReader, fault: string) {
  for (;;) {
    const part = await stream.feedEvent();
    if (part.event === "state" && contentOf(part).Fault === fault) return contentOf(part);
  }
}

/** Reads on until an event names a block at least as high. */
async function reached(stream: StreamReader, block: bigint) {
  for (;;) {
    const { AsOf } = contentOf(await stream.feedEvent());
    if (AsOf !== null && BigInt(AsOf.Block) >= block) return AsOf;
  }
}

describe.skipIf(findAnvil() === undefined)("a feed that stops (anvil)", () => {
  it("shows in the stream and with the sale, and so does its return", async () => {
    const { chain, node, service, indexer, gateway, saleUuid, stream, feedState } = await start();
    const body = async () => (await gateway.get(saleUuid)).text();
    const before = await body();
    await chain.mine();
    const { number, hash, timestamp } = await chain.client.getBlock({ blockTag: "latest" });
    expect(await reached(stream, number)).toMatchObject({
      Block: String(number),
      BlockHash: hash,
      BlockTime: Number(timestamp),
    });

    node.cut();
    const stopped = await stateWith(stream, UNREADABLE);
    expect(stopped).toMatchObject({ AsOf: { Block: String(number), BlockHash: hash } });
    expect(stopped.BehindSeconds).toBeGreaterThanOrEqual(5);
    const shown = await feedState();
    expect(shown).toMatchObject({ fault: FeedFault.UNREADABLE, asOf: { position: { height: number } } });
    const lastSuccess = shown?.asOf?.lastSuccess;
    expect(Math.floor((lastSuccess ? timestampMs(lastSuccess) : 0) / 1_000)).toBe(stopped.AsOf.LastSuccess);
    expect(shown?.behind?.seconds).toBeGreaterThanOrEqual(5n);
    await chain.mine();
    node.mend();
    await stateWith(stream, "");
    await reached(stream, number + 1n);

    await indexer.kill();
    await stateWith(stream, NO_INDEXER);
    expect((await feedState())?.fault).toBe(FeedFault.NO_INDEXER);
    await indexer.restart();
    await stateWith(stream, "");

    await service.kill();
    await stateWith(stream, UNREACHABLE);
    await service.restart();
    await stateWith(stream, "");
    expect(await body()).toBe(before);
  });
});
