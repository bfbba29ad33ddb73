import { randomUUID } from "node:crypto";
import { type Address, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { definitionLines } from "../../../common/sale/words/definition-lines.ts";
import { ContractFamily, SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CliClients } from "../../../services/cli/cli.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { untilReadTo } from "../../support/chains/chain-sale.ts";
import {
  type DeployedAuction,
  deployContinuousAuction,
  mineTo,
  Q96,
  submitBid,
} from "../../support/chains/continuous-auction.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { priceOfNow } from "../../support/models/continuous-auction-model.ts";
import { runCliWith } from "../../support/processes/cli.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { freePort } from "../../support/processes/free-port.ts";
import {
  anvilChain,
  type IndexerProcess,
  indexerKey,
  startIndexerProcess,
} from "../../support/processes/indexer-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { refusal } from "../../support/sales/sale-messages.ts";

const STEPS = [{ mps: 100_000n, blocks: 100n }];
const SUPPLY = 1_000n;
const OWNER: Address = `0x${"a1".repeat(20)}`;
const NAME = "From an address";

describe.skipIf(findAnvil() === undefined)("a sale that is set up from the address of an auction (anvil)", () => {
  const stack = new AsyncDisposableStack();
  let anvil: Anvil;
  let chain: TestChain;
  let service: CommitmentsProcess;
  let indexer: IndexerProcess;
  let auctions: Readonly<Record<"1.0.0" | "1.1.0", DeployedAuction>>;
  const run = (...args: string[]) =>
    runCliWith(
      { sales: service.sales, commitments: service.commitments, indexer: indexer.indexer } as unknown as CliClients,
      args,
    );

  beforeAll(async () => {
    anvil = await startAnvil({ mining: "auto" });
    stack.defer(() => anvil.stop());
    chain = await TestChain.connect(anvil);
    // Before the indexer, whose checks read the newest block that it has seen.
    const deploy = (version: "1.0.0" | "1.1.0") =>
      deployContinuousAuction(chain, { version, steps: STEPS, supply: SUPPLY, isNative: version === "1.1.0" });
    auctions = { "1.0.0": await deploy("1.0.0"), "1.1.0": await deploy("1.1.0") };
    const folder = await temporaryFolder();
    stack.defer(() => folder.remove());
    const port = String(await freePort());
    const own = generateCallerKey();
    service = await startCommitmentsProcess(
      {
        DATA_DIR: folder.path,
        INDEXER_URL: `http://127.0.0.1:${port}`,
        CALLER_NAME: "commitments",
        CALLER_KEY: own.text,
      },
      { otherCallers: { indexer: indexerKey.text } },
    );
    stack.defer(async () => void (await service.process.kill("SIGTERM")));
    const chains = { local: anvilChain(anvil.url, anvil.chainId, { coinSymbol: "TEST" }) };
    const callerKeys = `operator=${indexerKey.text},commitments=${own.text}`;
    indexer = await startIndexerProcess(service.url, chains, { INDEXER_PORT: port, CALLER_KEYS: callerKeys });
    stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
  });
  afterAll(() => stack.disposeAsync());

  it.each(["1.0.0", "1.1.0"] as const)("says its settings, and opens with them: version %s", async (version) => {
    const isNative = version === "1.1.0";
    const auction = auctions[version];
    const checked = await run("sale", "check", "local", auction.address);
    expect(checked).toMatchObject({ code: 0, errors: "" });
    expect(checked.output).toMatch(new RegExp(`^Contract\\s+Continuous Clearing Auction ${version}$`, "m"));
    expect(checked.output).toMatch(/^Must raise\s+unknown/m);
    expect(checked.output).toMatch(/^No more bids from\s+block \d+, about .* \(estimated\)$/m);

    const created = await run("sale", "create", "--name", NAME, "--chain", "local", "--contract", auction.address);
    expect(created).toMatchObject({ code: 0, errors: "" });
    const saleUuid = created.output.trim();
    await service.sales.openSale({ saleUuid });
    const { sale } = await service.sales.getSale({ saleUuid });
    expect(sale).toMatchObject({ status: SaleStatus.OPEN, definition: { widePrices: true, offeredTokenDecimals: 6 } });
    const currency = isNative ? zeroAddress : auction.currency.toLowerCase();
    expect(sale?.definition?.paymentTokens).toMatchObject([
      { address: currency, decimals: isNative ? 18 : 6, symbol: isNative ? "TEST" : "" },
    ]);
    if (sale?.definition === undefined) throw new TypeError("no definition");
    expect(definitionLines(sale.definition).at(-1)?.text).toContain("read from the Continuous Clearing Auction");

    await mineTo(chain, auction.startBlock);
    const bids = [
      { maxPrice: 5n * Q96, amount: 700n, owner: OWNER },
      { maxPrice: 3n * Q96, amount: 900n, owner: OWNER },
    ];
    const made = [];
    for (const bid of bids) {
      await chain.send(submitBid(auction, bid));
      made.push({ ...bid, block: await chain.client.getBlockNumber({ cacheTime: 0 }) });
    }
    await untilReadTo(service, saleUuid, made.at(-1)?.block ?? 0n);
    const { data } = await service.commitments.getCommitmentData({ saleUuid });
    const price = priceOfNow(auction, made);
    expect(price).toBeGreaterThan(Q96);
    expect(data?.clearingPrice?.price).toMatchObject({ numerator: `${price}`, denominator: `${Q96}` });
    expect(data).toMatchObject({ commitmentCount: 2n, totalAmount: "1600" });

    const verified = await run("verify", saleUuid, "--rpc", anvil.url, "--contract", auction.address);
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.output).toMatch(/^clearing price\s+same/m);
    expect(verified.output).toMatch(/^commitments\s+same\s+2 /m);
    expect(verified.output).toContain("Everything that was compared is the same.");

    const { definition } = sale;
    if (definition.pricing.case !== "auction") throw new TypeError("no auction");
    const pricing = { ...definition.pricing, value: { ...definition.pricing.value, offeredAmount: "999" } };
    const change = service.sales.updateSale({
      saleUuid,
      definition: { ...definition, pricing },
      expectedDefinitionVersion: sale.definitionVersion,
      overrideConfirmName: NAME,
    });
    expect((await refusal(change)).message).toContain("offered_amount: can't change: the sale's contract states it");
  });

  it("doesn't open with other terms than the auction's, or as a sale of another contract", async () => {
    const { address } = auctions["1.1.0"];
    const { proposedDefinition } = await indexer.indexer.checkSource({ chain: "local", address });
    const { pricing, source } = proposedDefinition ?? {};
    if (proposedDefinition === undefined || pricing?.case !== "auction" || source?.case !== "evm") {
      throw new TypeError("no terms of an auction");
    }
    const refusedAs = async (change: () => void) => {
      const saleUuid = randomUUID();
      change();
      await service.sales.createSale({
        saleUuid,
        tenancy: Tenancy.TEST,
        definition: { ...proposedDefinition, name: NAME },
      });
      return (await refusal(service.sales.openSale({ saleUuid }))).message;
    };
    const otherOffer = await refusedAs(() => {
      pricing.value.offeredAmount = "999";
    });
    expect(otherOffer).toContain("the auction offers 1000 smallest units of its token, and this sale 999");
    const otherFamily = await refusedAs(() => {
      source.value.family = ContractFamily.UNSPECIFIED;
    });
    expect(otherFamily).toContain("the contract is a Continuous Clearing Auction");
  });
});
