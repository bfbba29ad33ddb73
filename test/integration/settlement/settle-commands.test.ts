import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Address, decodeFunctionData, getAddress, type Hex, parseAbi } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { referenceVersion } from "../../../common/verify/reference-version.ts";
import type { CliClients } from "../../../services/cli/cli.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { saleVersion2 } from "../../contracts/artefacts/sale-version-2.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { contractUuid, openChainSale, untilReadTo } from "../../support/chains/chain-sale.ts";
import { auctionCalls, deployAuctionSale, deployVersionedSale, TOKENS } from "../../support/chains/sale-contract.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { bidOf, entityOf, pair, walletOf } from "../../support/databases/sale-rows.ts";
import { runCliProcess, runCliWith } from "../../support/processes/cli.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { anvilChain, startIndexedCommitments, startIndexerProcess } from "../../support/processes/indexer-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { until } from "../../support/repository/polling.ts";
import { openedSale, USDX } from "../../support/sales/sale-messages.ts";

/** Blocks after which anvil calls a block final. */
const FINAL_AFTER = 64;
const FINALIZE = parseAbi(["function finalizeSettlement(uint256 expectedTotalAccepted)"]);

interface CallsFile {
  readonly contract: Address;
  readonly calls: readonly { readonly function: string; readonly data: Hex; readonly allocations?: number }[];
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const lines = (...each: readonly string[]) => each.map((line) => `${line}\n`).join("");

describe("settling a sale that isn't read from a contract", () => {
  const key = generateCallerKey();
  let folder: TemporaryFolder;
  let service: CommitmentsProcess;
  let saleUuid: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startCommitmentsProcess({ DATA_DIR: folder.path }, { key });
    saleUuid = await openedSale(service);
    const header = "entity_id,wallet,token,commitment_id,created_at,price_ticks,amount";
    const bids = [
      [1, 12, 400],
      [2, 10, 900],
      [3, 10, 300],
      [4, 9, 500],
    ].map(([entity = 0, price, amount]) => {
      return `${entityOf(entity)},${walletOf(entity)},${USDX},0x${entity.toString(16).padStart(64, "0")},1,${price},${amount}`;
    });
    const path = join(folder.path, "commitments.csv");
    await writeFile(path, lines(header, ...bids));
    expect(await run("commitments", "import", saleUuid, path)).toMatchObject({ code: 0, errors: "" });
  });
  afterAll(async () => {
    await service?.process.kill();
    await folder?.remove();
  });

  const run = (...args: string[]) => runCliProcess(args, { COMMITMENTS_URL: service.url, CALLER_KEY: key.text });
  const at = (...path: string[]) => join(folder.path, ...path);

  it("is refused while the sale is open, and wants a folder", async () => {
    expect(await run("settle", "plan", saleUuid, "--output", at("early"))).toEqual({
      code: 1,
      output: "",
      errors: lines(
        "the sale can't be settled yet:",
        "- a sale that isn't read from a contract, and has no stage, must be settled",
      ),
    });
    expect(await run("settle", "plan", saleUuid)).toMatchObject({ code: 64 });
    expect(await readdir(folder.path)).not.toContain("early");
  });

  it("makes a plan with lists, whose allocations can be imported, and checks them", async () => {
    await service.sales.settleSale({ saleUuid, confirmName: "Auction" });
    await writeFile(
      at("refusals.csv"),
      lines("entity_id,wallet,reason", `${entityOf(3)},,=cmd()`, `,${walletOf(9)},unknown`),
    );
    await writeFile(at("limits.csv"), lines("entity_id;largest", `${entityOf(2)};700`));
    const lists = ["--refusals", at("refusals.csv"), "--limits", at("limits.csv")];
    await mkdir(at("plan.partial"));
    const left = await run("settle", "plan", saleUuid, "--output", at("plan"), ...lists);
    const errors = expect.stringContaining(`${at("plan.partial")} is left of a plan that wasn't finished: delete it`);
    expect(left).toMatchObject({ code: 1, errors });
    await rmdir(at("plan.partial"));
    const planned = await run("settle", "plan", saleUuid, "--output", `${at("plan")}/`, ...lists);
    expect(planned).toMatchObject({
      code: 0,
      errors: `${at("refusals.csv")}: 1 line of nobody who has bid, and not in the plan: 3\n`,
    });
    const bytes = await readFile(at("plan", "plan.json"));
    expect(planned.output).toMatch(new RegExp(`^SHA-256 +${sha256(bytes)}$`, "m"));
    expect((await readdir(at("plan"))).sort()).toEqual([
      "SHA256SUMS",
      "allocations.csv",
      "plan.json",
      "settlement.csv",
    ]);
    expect(planned.output).toMatch(/^Calls +none: the sale isn't read from a contract$/m);
    // 2,100 at 10 ticks or more buy 100,000 at 1/1000 a tick twice over.
    const plan = JSON.parse(bytes.toString());
    expect(plan).toMatchObject({ input: { saleUuid, status: "settled" }, price: { ticks: "10" } });
    expect(plan.totals).toMatchObject({
      capacity: "1000",
      above: "400",
      at: "700",
      accepted: "1000",
      tokens: "100000",
    });
    expect(plan.commitments.map(({ accepted }: { accepted: string }) => accepted)).toEqual(["400", "600", "0", "0"]);
    expect(await readFile(at("plan", "settlement.csv"), "utf8")).toContain(",at,300,0,'=cmd()\r\n");

    const check = (...more: string[]) => run("settle", "check", saleUuid, at("plan", "plan.json"), ...more);
    expect(await check()).toMatchObject({
      code: 2,
      errors: "not compared: the sale's allocations aren't known (yet)\n",
    });
    await run("allocations", "import", saleUuid, at("plan", "allocations.csv"));
    expect(await check("--hash", sha256(bytes))).toEqual({
      code: 0,
      output: lines(`SHA-256  ${sha256(bytes)}`, "Everything is the same: 2 allocations."),
      errors: "",
    });
    const again = await run("settle", "plan", saleUuid, "--output", at("plan"));
    expect(again).toMatchObject({ code: 1, errors: `${at("plan")} exists: --output must name a new folder\n` });
  });

  it("finds every difference from a plan, and a plan that isn't one of the rule", async () => {
    const other = lines(
      "entity_id,wallet,token,accepted",
      `${entityOf(2)},${walletOf(2)},${USDX},599`,
      `${entityOf(4)},${walletOf(4)},${USDX},1`,
    );
    await writeFile(at("other.csv"), other);
    await run("allocations", "import", saleUuid, at("other.csv"));
    const { code, output, errors } = await run("settle", "check", saleUuid, at("plan", "plan.json"));
    const text = (entity: number, planned: number, accepted: number) =>
      `entity ${entityOf(entity)}, wallet ${walletOf(entity)}, token ${USDX}: planned ${planned}, accepted ${accepted}`;
    expect([code, errors]).toEqual([1, "NOT THE SAME: 3 differences\n"]);
    expect(output.split("\n").slice(1, -1)).toEqual([text(1, 400, 0), text(2, 600, 599), text(4, 0, 1)]);

    const plan = await readFile(at("plan", "plan.json"), "utf8");
    await writeFile(at("forged.json"), plan.replace('"accepted":"400"', '"accepted":"399"'));
    const forged = await run("settle", "check", saleUuid, at("forged.json"), "--hash", sha256(Buffer.from(plan)));
    expect(forged.code).toBe(1);
    expect(forged.errors).toMatch(
      /^NOT THE SAME: the plan should have the hash .*\nNOT THE SAME: the rule makes another/,
    );
    await writeFile(at("broken.json"), plan.replace('"revision":"', '"revision":"x'));
    expect(await run("settle", "check", saleUuid, at("broken.json"))).toMatchObject({
      code: 2,
      errors: `${at("broken.json")} isn't a settlement plan: plan.input.revision must be a decimal integer in quotes\n`,
    });
    const wrongSale = await run("settle", "check", randomUUID(), at("plan", "plan.json"));
    expect(wrongSale).toMatchObject({ code: 1, errors: `NOT THE SAME: the plan is of the sale ${saleUuid}\n` });

    await service.sales.withdrawSale({ saleUuid, confirmName: "Auction" });
    expect(await run("settle", "check", saleUuid, at("plan", "plan.json"))).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/^not compared: the sale can't be settled yet:\n- it must be open or settled\n/),
    });
  });
});

describe.skipIf(findAnvil() === undefined)("settling a sale by its contract (anvil)", () => {
  const stack = new AsyncDisposableStack();
  let anvil: Anvil;
  let chain: TestChain;
  let service: CommitmentsProcess;
  let folder: TemporaryFolder;
  let contract: Address;
  let saleUuid: string;

  beforeAll(async () => {
    anvil = await startAnvil();
    stack.defer(() => anvil.stop());
    chain = await TestChain.connect(anvil);
    folder = await temporaryFolder();
    stack.defer(() => folder.remove());
    service = await startIndexedCommitments({ DATA_DIR: folder.path });
    stack.defer(async () => void (await service.process.kill("SIGTERM")));
    const indexer = await startIndexerProcess(service.url, { local: anvilChain(anvil.url, anvil.chainId) });
    stack.defer(async () => void (await indexer.process.kill("SIGTERM")));
    saleUuid = randomUUID();
    contract = await deployVersionedSale(chain, 2, contractUuid(saleUuid));
    await openChainSale(service, contract, saleUuid);
    const added = [pair({ amount: 2_000n }), pair({ token: TOKENS[1], amount: 1_001n, wallet: walletOf(2) })];
    const bids = [
      bidOf(1, { price: 3_000n }),
      bidOf(2, { price: 2_000n, added }),
      bidOf(3, { price: 2_000n, added: [pair({ amount: 500n, wallet: walletOf(3) })] }),
    ];
    await chain.send(auctionCalls.setStage(contract, 1));
    for (const bid of bids) await chain.send(auctionCalls.bid(contract, bid));
    await mined();
  });
  afterAll(() => stack.disposeAsync());

  const run = (...args: string[]) => runCliWith(service as unknown as CliClients, args);
  const at = (...path: string[]) => join(folder.path, ...path);
  const plan = (name: string, ...args: string[]) =>
    run("settle", "plan", saleUuid, "--output", at(name), "--rpc", anvil.url, ...args);

  async function mined(blocks = 1, uuid = saleUuid): Promise<void> {
    await chain.mine(blocks);
    await untilReadTo(service, uuid, await chain.client.getBlockNumber({ cacheTime: 0 }));
    const sale = async () => (await service.sales.getSale({ saleUuid: uuid })).sale;
    await until(async () => (await sale())?.feedState?.chain !== undefined);
    await until(async () => (await sale())?.sourceStatus?.sweep?.running === false);
  }

  it("is refused while bidding goes on, and until the block is final by the node", async () => {
    expect(await plan("bidding")).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^- the stage must be settlement or done, and is taking commitments/m),
    });
    await chain.send(auctionCalls.setStage(contract, 3));
    await mined();
    expect(await plan("early")).toMatchObject({ code: 1, errors: expect.stringContaining("isn't final yet") });
    await mined(FINAL_AFTER);
    expect(await run("settle", "plan", saleUuid, "--output", at("nodeless"))).toMatchObject({ code: 64 });
  });

  it("makes calls that the contract takes, after which the contract is as planned", async () => {
    const planned = await plan("plan", "--batch", "2");
    expect(planned).toMatchObject({ code: 0, errors: "" });
    const { input, totals } = JSON.parse(await readFile(at("plan", "plan.json"), "utf8"));
    const { sale } = await service.sales.getSale({ saleUuid });
    const hash = `0x${Buffer.from(sale?.changedPosition?.hash ?? []).toString("hex")}`;
    expect(input.source).toEqual({
      chain: "local",
      chainId: "31337",
      contract: contract.toLowerCase(),
      height: `${sale?.changedPosition?.height}`,
      hash,
    });

    const file: CallsFile = JSON.parse(await readFile(at("plan", "calls.json"), "utf8"));
    // Entity 2 has two allocations, which aren't divided.
    expect(file.calls.map(({ allocations }) => allocations)).toEqual([1, 2, 1, undefined]);
    const names = (await readdir(at("plan", "safe"))).sort();
    expect(names).toEqual([
      "0001-setAllocations.json",
      "0002-setAllocations.json",
      "0003-setAllocations.json",
      "0004-finalizeSettlement.json",
    ]);
    const safe = JSON.parse(await readFile(at("plan", "safe", names[0] ?? ""), "utf8"));
    expect(safe).toMatchObject({
      version: "1.0",
      chainId: "31337",
      transactions: [{ to: getAddress(contract), value: "0", data: file.calls[0]?.data }],
    });
    const sums = await readFile(at("plan", "SHA256SUMS"), "utf8");
    const listed = [
      ...["plan.json", "allocations.csv", "settlement.csv"],
      ...[...names.map((name) => `safe/${name}`), "calls.json"],
    ];
    const sumOf = async (path: string) => `${sha256(await readFile(at("plan", path)))}  ${path}`;
    expect(sums).toBe(lines(...(await Promise.all(listed.map(sumOf)))));
    expect(planned.output).toMatch(/^Calls +4$/m);
    expect(planned.output.endsWith(`\n\n${sums}`)).toBe(true);
    const [last] = file.calls.slice(-1);
    const total = totals.byToken.reduce(
      (sum: bigint, { accepted }: { accepted: string }) => sum + BigInt(accepted),
      0n,
    );
    expect(decodeFunctionData({ abi: FINALIZE, data: last?.data ?? "0x" }).args).toEqual([total]);

    for (const { data } of file.calls.slice(0, -1)) {
      const { functionName, args } = decodeFunctionData({ abi: saleVersion2.abi, data });
      await chain.send({ address: contract, abi: saleVersion2.abi, functionName, args: args ?? [] });
    }
    await mined();
    const check = () => run("settle", "check", saleUuid, at("plan", "plan.json"));
    await until(async () => (await check()).code !== 2);
    expect(await check()).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^The contract isn't done: .*\nEverything is the same: 4 allocations\.$/m),
    });
    const clients = service as unknown as CliClients;
    type ListAllocations = CliClients["commitments"]["listAllocations"];
    const checkWith = (changed: Partial<CliClients>) =>
      runCliWith({ ...clients, ...changed }, ["settle", "check", saleUuid, at("plan", "plan.json")]);
    const checkPages = (change: (page: Awaited<ReturnType<ListAllocations>>) => object) => {
      const listAllocations: ListAllocations = async (...request) => {
        const page = await clients.commitments.listAllocations(...request);
        return { ...page, ...change(page) };
      };
      return checkWith({ commitments: { ...clients.commitments, listAllocations } });
    };
    expect(await checkPages(({ revision }) => ({ revision: revision + 1n }))).toMatchObject({
      code: 2,
      errors: "not compared: the sale has changed meanwhile: run the command again\n",
    });
    expect(await checkPages(() => ({ allocations: [] }))).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^The contract isn't done: it may still change\.$/m),
      errors: "NOT THE SAME: 4 differences\n",
    });
    const getSale: CliClients["sales"]["getSale"] = async (...request) => {
      const answer = await clients.sales.getSale(...request);
      delete answer.sale?.feedState?.chain;
      return answer;
    };
    expect(await checkWith({ sales: { ...clients.sales, getSale } })).toMatchObject({
      code: 2,
      errors: "not compared: Tidemark doesn't say (yet) which chain the contract is on\n",
    });
    const other = `0x${"ab".repeat(20)}`;
    const text = await readFile(at("plan", "plan.json"), "utf8");
    await writeFile(at("other.json"), text.replace(contract.toLowerCase(), other));
    const { code, errors } = await run("settle", "check", saleUuid, at("other.json"));
    expect([code, errors]).toEqual([1, expect.stringContaining(`the plan is of contract ${other} on `)]);
  });

  it("makes no calls for a contract of another version, and says why", async () => {
    const firstUuid = randomUUID();
    const first = await deployVersionedSale(chain, 1, contractUuid(firstUuid));
    await openChainSale(service, first, firstUuid, "local", { cancelledKeepsAmounts: true });
    await chain.send(auctionCalls.setStage(first, 1));
    await chain.send(auctionCalls.bid(first, bidOf(1, { price: 3_000n })));
    await chain.send(auctionCalls.setStage(first, 4));
    await mined(1, firstUuid);
    await mined(FINAL_AFTER, firstUuid);
    const planned = await run("settle", "plan", firstUuid, "--output", at("first"), "--rpc", anvil.url);
    expect(planned).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Calls +none: the contract is of version 1, and they are known for version 2 /m),
    });
    expect(await readdir(at("first"))).toHaveLength(4);
  });

  it("takes a contract's own version before that of the sale's settings", async () => {
    const first = await deployVersionedSale(chain, 1, contractUuid(randomUUID()));
    const silent = await deployAuctionSale(chain);
    await chain.mine(FINAL_AFTER + 1);
    const { signal } = new AbortController();
    const chainId = BigInt(anvil.chainId);
    const version = (address: Address, declared?: number) =>
      referenceVersion({
        ...{ family: "evm", chainId, contract: address, nodes: [anvil.url], signal },
        ...(declared !== undefined && { declared }),
      });
    expect([await version(first, 2), await version(contract), await version(silent, 2), await version(silent)]).toEqual(
      [1, 2, 2, undefined],
    );
  });
});
