import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSvmSale, type SvmSaleOptions, svmChainSetting } from "../../support/chains/svm-chain-sale.ts";
import { SvmNode } from "../../support/chains/svm-node.ts";
import { svmEntity, svmEntityId } from "../../support/chains/svm-reader-fixture.ts";
import { svmAddress, svmEntityAddress, svmSaleAddress } from "../../support/chains/svm-sale.ts";
import type { CommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { freePort } from "../../support/processes/free-port.ts";
import {
  type IndexerProcess,
  startIndexedCommitments,
  startIndexerProcess,
} from "../../support/processes/indexer-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { until } from "../../support/repository/polling.ts";

/** A secret in every URL of the indexer, which only the operator may see. */
const KEY = "k3y-0123456789abcdef";
const OTHER_MINT = svmAddress("another mint");
const ENTITY = svmEntityId(0);
const SALE = randomUUID();

describe("sources on Solana that can't be read", () => {
  const stack = new AsyncDisposableStack();
  let node: SvmNode;
  let late: SvmNode;
  let service: CommitmentsProcess;
  let indexer: IndexerProcess;

  beforeAll(async () => {
    node = await startNode(SALE);
    late = await startNode();
    const refusing = await startNode();
    refusing.beforeAnswer = () => "http_401";
    const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
    service = await startIndexedCommitments({ DATA_DIR: folder.path });
    stack.defer(async () => void (await service.process.kill()));
    const unreachable = `http://127.0.0.1:${await freePort()}`;
    indexer = await startIndexerProcess(service.url, {
      solana: configured(node.url, { genesisHash: node.genesisHash }),
      "wrong-cluster": configured(node.url, { genesisHash: svmAddress("another cluster") }),
      "wrong-program": configured(node.url, { program: svmAddress("another program") }),
      unreachable: configured(unreachable),
      unauthorised: configured(refusing.url),
      late: configured(late.url),
    });
    stack.defer(async () => void (await indexer.process.kill()));
  });
  afterAll(() => stack.disposeAsync());

  /** A node with a sale of its own, with one bid. */
  async function startNode(saleUuid: string = randomUUID()): Promise<SvmNode> {
    const started = stack.adopt(await SvmNode.start(saleUuid), (each) => each.stop());
    started.advance(({ entities }) => entities.set(ENTITY, svmEntity()));
    return started;
  }

  function configured(url: string, options: Readonly<Record<string, unknown>> = {}) {
    const { host } = new URL(url);
    return svmChainSetting([node], { urls: [`http://${KEY}:${KEY}@${host}/${KEY}?api-key=${KEY}`], ...options });
  }

  async function faultOf(saleUuid: string): Promise<string> {
    const fault = (await service.sales.getSale({ saleUuid })).sale?.sourceStatus?.fault ?? "";
    expect(fault).not.toContain(KEY);
    return fault;
  }

  async function expectFault(saleUuid: string, words: RegExp): Promise<void> {
    await until(async () => words.test(await faultOf(saleUuid)));
    await expect(service.commitments.getCommitmentData({ saleUuid })).rejects.toThrow(/hasn't been read whole yet/);
  }

  async function expectShown(saleUuid: string): Promise<void> {
    await until(async () => (await service.sales.getSale({ saleUuid })).sale?.hasSnapshot === true);
    await until(async () => (await faultOf(saleUuid)) === "");
    const { data } = await service.commitments.getCommitmentData({ saleUuid });
    expect(data).toMatchObject({ totalAmount: "1000", commitmentCount: 1n });
  }

  const SOURCES: readonly [string, SvmSaleOptions, RegExp][] = [
    ["a node of another cluster", { chain: "wrong-cluster" }, /genesis hash is \w+, not \w+: set the URL of a node of/],
    ["an account of another program", { chain: "wrong-program" }, /an account doesn't belong to program/],
    ["an unreachable URL", { chain: "unreachable" }, /127\.0\.0\.1:\d+:? .*can't be reached/],
    ["an unauthorised URL", { chain: "unauthorised" }, /refuses access \(HTTP 401\): check the key or the user/],
    ["an account that isn't there", { saleAccount: svmAddress("nothing") }, /has no account \w+: check the address/],
    [
      "another kind of account",
      { saleAccount: svmEntityAddress(svmSaleAddress(SALE), ENTITY) },
      /the account isn't of kind SettlementSale/,
    ],
  ];

  it.each(SOURCES)("%s is the sale's fault, and reported by CheckSource", async (_, options, words) => {
    await expectFault(await openSvmSale(service, node, { saleUuid: randomUUID(), ...options }), words);
    const { chain = "solana", saleAccount: address = node.saleAccount } = options;
    const { readable, problems } = await indexer.indexer.checkSource({ chain, address });
    expect(readable).toBe(false);
    expect(problems).toEqual([expect.stringMatching(words)]);
    expect(problems.join()).not.toContain(KEY);
  });

  it("an unknown chain is the sale's fault, and not found by CheckSource", async () => {
    const saleUuid = await openSvmSale(service, node, { saleUuid: randomUUID(), chain: "nowhere" });
    await expectFault(saleUuid, /chain nowhere isn't configured; configured are solana, wrong-cluster/);
    const checked = indexer.indexer.checkSource({ chain: "nowhere", address: node.saleAccount });
    await expect(checked).rejects.toThrow(/\[not_found\] chain nowhere isn't configured/);
  });

  it("the account of another sale is the sale's fault; CheckSource returns that sale", async () => {
    const saleUuid = await openSvmSale(service, node, { saleUuid: randomUUID() });
    await expectFault(
      saleUuid,
      new RegExp(`belongs to sale ${node.state.saleUuid}, not to ${saleUuid}: check the address`),
    );
    const checked = await indexer.indexer.checkSource({ chain: "solana", address: node.saleAccount });
    expect(checked).toMatchObject({ readable: true, problems: [], saleUuid: node.state.saleUuid });
  });

  it("another token than the sale's is a lasting fault; CheckSource returns the token", async () => {
    const { mint } = node.state;
    const saleUuid = await openSvmSale(service, node, { tokens: [OTHER_MINT] });
    await expectFault(saleUuid, new RegExp(`takes payment token ${mint}, not that of this sale: check the address`));
    const { paymentTokens } = await indexer.indexer.checkSource({ chain: "solana", address: node.saleAccount });
    expect(paymentTokens).toEqual([mint]);
  });

  it("a node that starts ends the fault", async () => {
    late.beforeAnswer = () => "http_500";
    const saleUuid = await openSvmSale(service, late, { chain: "late" });
    await expectFault(saleUuid, /answered HTTP 500/);
    late.beforeAnswer = () => undefined;
    await expectShown(saleUuid);
  });
});
