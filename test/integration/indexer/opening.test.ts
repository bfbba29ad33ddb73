import { randomUUID } from "node:crypto";
import type { Address } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { contractUuid } from "../../support/chains/chain-sale.ts";
import { deployPermitSale, permitSaleCalls } from "../../support/chains/permit-sale.ts";
import { auctionCalls, deployAuctionSale } from "../../support/chains/sale-contract.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { bytes32Symbol, stringSymbol, tokenCreationCode } from "../../support/chains/token-contract.ts";
import { bidOf, pair } from "../../support/databases/sale-rows.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { freePort } from "../../support/processes/free-port.ts";
import {
  anvilChain,
  type IndexerProcess,
  indexerKey,
  startIndexerProcess,
} from "../../support/processes/indexer-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { until } from "../../support/repository/polling.ts";
import { refusal } from "../../support/sales/sale-messages.ts";

const NOWHERE = `0x${"0e".repeat(20)}`;
const NAME = "Checked";

interface Draft {
  readonly saleUuid?: string;
  readonly contract: string;
  readonly token: string;
  readonly decimals?: number;
  readonly chain?: string;
}

describe.skipIf(findAnvil() === undefined)("what a chain says before a sale opens (anvil)", () => {
  const stack = new AsyncDisposableStack();
  let anvil: Anvil;
  let chain: TestChain;
  let service: CommitmentsProcess;
  let indexer: IndexerProcess;
  let token: Address;

  beforeAll(async () => {
    anvil = await startAnvil({ mining: "auto" });
    stack.defer(() => anvil.stop());
    chain = await TestChain.connect(anvil);
    token = (await chain.deploy(tokenCreationCode(6, stringSymbol("USDX")))).toLowerCase() as Address;
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
    const chains = { local: anvilChain(anvil.url, anvil.chainId) };
    const callerKeys = `operator=${indexerKey.text},commitments=${own.text}`;
    indexer = await startIndexerProcess(service.url, chains, { INDEXER_PORT: port, CALLER_KEYS: callerKeys });
    stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
  });
  afterAll(() => stack.disposeAsync());

  function definitionOf({ contract, token: address, decimals = 6, chain: name = "local" }: Draft) {
    return {
      name: NAME,
      paymentTokens: [{ address, decimals, usdStablecoin: true }],
      offeredTokenDecimals: 18,
      priceTick: { numerator: "1", denominator: "1000" },
      pricing: { case: "auction" as const, value: { offeredAmount: "1000", floorTicks: "1", incrementTicks: "1" } },
      source: { case: "evm" as const, value: { chain: name, contract } },
    };
  }

  async function drafted(draft: Draft): Promise<string> {
    const { saleUuid = randomUUID() } = draft;
    await service.sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition: definitionOf(draft) });
    return saleUuid;
  }

  /** Deploys the contract of a sale that takes `token`, with one bid. */
  async function deployed(saleUuid: string, takes = token): Promise<Address> {
    const address = await deployAuctionSale(chain, { saleUuid: contractUuid(saleUuid), tokens: [takes] });
    await chain.send(auctionCalls.setStage(address, 1));
    await chain.send(auctionCalls.bid(address, bidOf(1, { added: [pair({ token: takes })] })));
    return address;
  }

  const open = (saleUuid: string, overrideConfirmName = "") =>
    service.sales.openSale({ saleUuid, overrideConfirmName });
  /** Opens a sale as soon as the indexer, which keeps what it has read for up to 10 s, knows the block of its contract. */
  async function openWhenKnown(saleUuid: string) {
    let answer: Awaited<ReturnType<typeof open>> | undefined;
    await until(async () => {
      answer = await open(saleUuid).catch(() => undefined);
      return answer !== undefined;
    });
    return answer;
  }
  /** Waits until a sale is refused with a text, for the same reason. */
  async function expectRefused(saleUuid: string, message: string) {
    const texts: string[] = [];
    await until(async () => {
      const error = await refusal(open(saleUuid));
      expect(error).toMatchObject({ code: "failed_precondition" });
      texts.push(String(error.message));
      return texts.at(-1)?.includes(message) === true;
    }).catch(() => expect.fail(`${message} isn't said, but ${[...new Set(texts)].join("; ")}`));
  }
  const metric = async (name: string) => {
    const lines = (await (await fetch(`${indexer.adminUrl}/metrics`)).text()).split("\n");
    return lines.filter((line) => line.startsWith(name)).map((line) => line.split(" ").at(-1));
  };

  it("opens a sale with its own contract, and reads it", async () => {
    const saleUuid = randomUUID();
    await drafted({ saleUuid, contract: await deployed(saleUuid), token });
    const sale = (await openWhenKnown(saleUuid))?.sale;
    expect(sale?.definition?.paymentTokens).toMatchObject([{ address: token, decimals: 6, symbol: "USDX" }]);
    await until(async () => (await service.sales.getSale({ saleUuid })).sale?.hasSnapshot === true);
    expect(await metric("tidemark_indexer_head_lag_seconds")).toHaveLength(1);
  });

  it("refuses a contract that can't be right, and what it says is what people read", async () => {
    const otherSale = await deployed(randomUUID());
    const own = randomUUID();
    const contract = await deployed(own);
    const cases: readonly [Draft, string][] = [
      [{ contract: NOWHERE, token }, `there is no contract at ${NOWHERE}`],
      [{ contract: token, token }, "ICommitmentDataReader"],
      [{ contract: NOWHERE, token, chain: "mars" }, "chain mars isn't configured"],
      [{ contract: otherSale, token }, "the contract belongs to another sale"],
      [{ contract, token: NOWHERE, saleUuid: own }, `takes the payment token ${token}`],
    ];
    for (const [draft, message] of cases) await expectRefused(await drafted(draft), message);
  });

  it("refuses a token of 6 decimals that is declared as 18, and warns of it once it is open", async () => {
    const saleUuid = randomUUID();
    await drafted({ saleUuid, contract: await deployed(saleUuid), token, decimals: 18 });
    const differs = `the payment token ${token} has 6 decimals on its chain, and 18 in the sale`;
    await expectRefused(saleUuid, differs);
    await open(saleUuid, NAME);
    await until(async () => {
      const { sale } = await service.sales.getSale({ saleUuid });
      return sale?.sourceStatus?.warning.includes(differs) === true;
    });
  });

  it("changes a source that was never read, and the indexer begins to read it", async () => {
    const saleUuid = randomUUID();
    await drafted({ saleUuid, contract: NOWHERE, token });
    const { sale: opened } = await open(saleUuid, NAME);
    const faultOf = async () => (await service.sales.getSale({ saleUuid })).sale?.sourceStatus?.fault ?? "";
    await until(async () => (await faultOf()).includes("no contract"));
    const contract = await deployed(saleUuid);
    const definition = definitionOf({ contract, token });
    const expectedDefinitionVersion = opened?.definitionVersion ?? 0n;
    // The indexer may not know the contract's block yet, and keeps the result of a check for 10 s.
    const change = { saleUuid, definition, expectedDefinitionVersion };
    await until(() =>
      service.sales.updateSale(change).then(
        () => true,
        () => false,
      ),
    );
    await until(async () => (await service.sales.getSale({ saleUuid })).sale?.hasSnapshot === true);
    expect(await faultOf()).toBe("");
    // The first snapshot may be of a block between the deployment and the bid.
    await until(async () => (await service.commitments.getCommitmentData({ saleUuid })).data?.commitmentCount === 1n);
    const { sale } = await service.sales.getSale({ saleUuid });
    const moved = service.sales.updateSale({
      saleUuid,
      definition: definitionOf({ contract: NOWHERE, token }),
      expectedDefinitionVersion: sale?.definitionVersion ?? 0n,
    });
    expect(await refusal(moved)).toMatchObject({ code: "invalid_argument", violations: [{ rule: "frozen" }] });
  });

  it("stops reading a withdrawn sale", async () => {
    const saleUuid = randomUUID();
    await drafted({ saleUuid, contract: await deployed(saleUuid), token });
    await openWhenKnown(saleUuid);
    await until(async () => (await service.sales.getSale({ saleUuid })).sale?.hasSnapshot === true);
    const [before] = await metric("tidemark_indexer_sales");
    const { sale } = await service.sales.withdrawSale({ saleUuid, confirmName: NAME });
    expect(sale?.status).toBe(SaleStatus.WITHDRAWN);
    await until(async () => Number((await metric("tidemark_indexer_sales"))[0]) === Number(before) - 1);
  });

  it("reads decimals and symbols of tokens, and shows no symbol that could do harm", async () => {
    const deploy = async (decimals: number, symbol: `0x${string}`) => chain.deploy(tokenCreationCode(decimals, symbol));
    const old = await deploy(18, bytes32Symbol("MKR"));
    const hostile = await deploy(8, stringSymbol("<img src=x onerror=alert(1)>"));
    const endless = await deploy(0, stringSymbol("x".repeat(10_000)));
    const addresses = [token, old, hostile, endless, NOWHERE];
    const check = async () => (await indexer.indexer.checkTokens({ chain: "local", addresses })).tokens;
    // The indexer may not know the last token's block yet.
    await until(async () => (await check())[3]?.decimals === 0);
    const tokens = await check();
    expect(tokens).toMatchObject([
      { address: token, decimals: 6, symbol: "USDX", problem: "" },
      { address: old, decimals: 18, symbol: "MKR" },
      { address: hostile, decimals: 8, symbol: "" },
      { address: endless, decimals: 0, symbol: "" },
      { address: NOWHERE, symbol: "", problem: expect.stringContaining("check the address") },
    ]);
    expect(tokens.at(-1)?.decimals).toBeUndefined();
    const elsewhere = indexer.indexer.checkTokens({ chain: "mars", addresses: [token] });
    expect(await refusal(elsewhere)).toMatchObject({ code: "not_found" });
  });

  it("says whether a contract accepts permits of a signer, and keeps only an acceptance for up to 10 s", async () => {
    const saleUuid = contractUuid(randomUUID());
    const address = await deployPermitSale(chain, { saleUuid, tokens: [token] });
    const [granted, other] = [`0x${"c0".repeat(20)}`, `0x${"c1".repeat(20)}`] as const;
    await chain.send(permitSaleCalls.grantSigner(address, granted));
    const later = await deployPermitSale(chain, { saleUuid, tokens: [token] });
    const check = (signer: string, at: string = address) =>
      indexer.indexer.checkPermitSigner({ chain: "local", address: at, signer });
    await until(async () => (await check(other, later)).accepted === false);
    expect(await check(granted)).toMatchObject({ accepted: true, problem: "" });
    expect(await check(other)).toMatchObject({ accepted: false, problem: "" });
    await chain.send(permitSaleCalls.revokeSigner(address, granted));
    expect(await check(granted)).toMatchObject({ accepted: true });

    await chain.send(permitSaleCalls.grantSigner(address, other));
    await until(async () => (await check(other)).accepted === true);

    const withoutRoles = await check(granted, await deployed(randomUUID()));
    expect(withoutRoles.accepted).toBeUndefined();
    expect(withoutRoles.problem).toContain("hasRole");
    const elsewhere = indexer.indexer.checkPermitSigner({ chain: "mars", address, signer: granted });
    expect(await refusal(elsewhere)).toMatchObject({ code: "not_found" });
  });
});
