import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import {
  EvmSourceSchema,
  FeedStateSchema,
  type Sale,
  SaleStage,
  SvmSourceSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { SourcePositionSchema } from "../../../proto/gen/tidemark/commitments/v1/source_position_pb.ts";
import {
  CheckFinalityResponseSchema,
  CheckSourceResponseSchema,
} from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import type { CliClients } from "../../../services/cli/cli.ts";
import { runCliWith } from "../../../test/support/processes/cli.ts";
import { findProgram } from "../../../test/support/processes/program.ts";
import { type TemporaryFolder, temporaryFolder } from "../../../test/support/processes/temporary-folder.ts";
import { amountOf, idBytes, MINT, record } from "../../../test/support/sales/sale-messages.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { formEntries } from "../../testing/form-entries.ts";
import { FounderSite, harbourAuction } from "../../testing/founder-site.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import { scriptedIndexer } from "../../testing/scripted-indexer.ts";
import type { IndexerClient } from "../base/dashboard-dependencies.ts";
import { salePaths } from "../base/dashboard-paths.ts";

const { settlement: path, sale: salePath } = salePaths(SALE);
const UNZIP = findProgram("unzip");
const FED = harbourAuction({ source: { case: undefined }, priceTick: { numerator: "1", denominator: "1000" } });
const NAME = "Harbour Token";
const CONTRACT = `0x${"c1".repeat(20)}`;
const BLOCK_HASH = new Uint8Array(32).fill(0xab);

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const entity = (number: number) => `0x${Buffer.from(idBytes(number, 16)).toString("hex")}`;
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

let site: FounderSite;
let browser: PageBrowser;
afterEach(() => site?.stop());

async function startSite(indexer?: IndexerClient): Promise<void> {
  site = await FounderSite.start(FED, {}, indexer);
  await site.open();
  browser = site.browser();
}

/** Three bids of 1,600 in all, all above the clearing price of 15 ticks, at which the tokens cost 1,500. */
async function bid(): Promise<void> {
  const upserts = [
    record(1, { priceTicks: "30", amounts: [amountOf(400n)] }),
    record(2, { priceTicks: "20", amounts: [amountOf(900n)] }),
    record(3, { priceTicks: "20", amounts: [amountOf(300n)] }),
  ];
  const { commitments } = site.gateway.sales.as("operator");
  await commitments.applyCommitments({ saleUuid: SALE, requestId: crypto.randomUUID(), upserts });
}

async function settle(): Promise<void> {
  await site.gateway.sales.as("operator").sales.settleSale({ saleUuid: SALE, confirmName: NAME });
}

/** Sends the form of a page, with files. */
function send(html: string, fields: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}) {
  const data = new FormData();
  const shown = formEntries(html, path);
  for (const name of Object.keys(files)) delete shown[name];
  for (const [name, value] of Object.entries({ ...shown, ...fields })) data.append(name, value);
  for (const [name, text] of Object.entries(files)) data.append(name, new File([text], `${name}.csv`));
  return browser.post(path, data);
}

const planned = async (files: Readonly<Record<string, string>> = {}, fields = {}) =>
  send((await browser.open(path)).html, { do: "plan", ...fields }, files);
const hashOf = (html: string) => /<code dir="ltr">([0-9a-f]{64})<\/code>/.exec(html)?.[1];

describe("the settlement plan of a sale that isn't read from a contract", () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
    await startSite();
    await bid();
  });
  afterEach(() => folder.remove());

  it("is for owners and editors, who find it in the menu of a sale that is public", async () => {
    expect((await browser.open(salePath)).html).toContain(`href="${path}"`);
    await site.setRole(Role.EDITOR);
    expect((await browser.open(path)).status).toBe(200);
    await site.setRole(Role.VIEWER);
    expect((await browser.open(salePath)).html).not.toContain(`href="${path}"`);
    expect((await browser.open(path)).status).toBe(403);
  });

  it("says by which rule, and what stands against it, without a form", async () => {
    const { html } = await browser.open(path);
    expect(textOf(html)).toContain("Not yet: A sale that isn’t read from a contract must be settled first.");
    expect(textOf(html)).toContain("Everybody pays the clearing price");
    expect(textOf(html)).toContain(`settle plan ${SALE}`);
    expect(html).not.toContain(`<form method="post" action="${path}"`);
    const forged = await browser.post(path, { do: "plan" });
    expect(forged.status).toBeGreaterThanOrEqual(400);
  });

  it("is the command's, file by file and byte by byte, with the lists that were chosen", async () => {
    await settle();
    const lists = {
      refusals: `entity_id,wallet,reason\n${entity(3)},,"failed\r\nthe check"\n${entity(9)},,nobody\n`,
      limits: `entity_id;largest\n${entity(2)};700\n`,
    };
    const { html, status } = await planned(lists);
    expect(status).toBe(200);
    expect(textOf(html)).toContain("One line of the refusals names nobody who has bid, and isn’t in the plan: 5.");
    expect(textOf(html)).toContain("one refusal, one limit");
    expect(textOf(html)).toContain("None: the sale isn’t read from a contract.");

    const names = Object.keys(lists) as (keyof typeof lists)[];
    for (const name of names) writeFileSync(join(folder.path, name), lists[name]);
    const output = join(folder.path, "plan");
    const options = names.flatMap((name) => [`--${name}`, join(folder.path, name)]);
    const clients = site.gateway.sales.as("operator") as unknown as CliClients;
    expect(await runCliWith(clients, ["settle", "plan", SALE, "--output", output, ...options])).toMatchObject({
      code: 0,
    });
    const files = readdirSync(output);
    expect(files.sort()).toEqual(["SHA256SUMS", "allocations.csv", "plan.json", "settlement.csv"]);
    expect(hashOf(html)).toBe(sha256(readFileSync(join(output, "plan.json"))));
    for (const file of files) {
      const written = readFileSync(join(output, file), "utf8");
      expect(html).toContain(sha256(written));
      const answer = await send(html, { do: file });
      expect([file, answer.html]).toEqual([file, written]);
      expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${file}"`);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  it.skipIf(UNZIP === undefined)("is one archive with all of its files", async () => {
    await settle();
    const { html } = await planned();
    const entries = { ...formEntries(html, path), do: "all" };
    const body = new FormData();
    for (const [name, value] of Object.entries(entries)) body.append(name, value);
    const cookie = `tidemark-session=${site.sessionToken()}`;
    const answer = await fetch(site.gateway.origin + path, {
      ...{ method: "POST", body, headers: { cookie, "sec-fetch-site": "same-origin" } },
    });
    expect(answer.headers.get("content-type")).toBe("application/zip");
    const archive = join(folder.path, "plan.zip");
    writeFileSync(archive, new Uint8Array(await answer.arrayBuffer()));
    expect(spawnSync(UNZIP ?? "", ["-q", archive, "-d", join(folder.path, "all")]).status).toBe(0);
    expect(readdirSync(join(folder.path, "all")).sort()).toEqual([
      "SHA256SUMS",
      "allocations.csv",
      "plan.json",
      "settlement.csv",
    ]);
    expect(statSync(join(folder.path, "all", "plan.json")).size).toBeGreaterThan(1_000);
    expect(sha256(readFileSync(join(folder.path, "all", "plan.json")))).toBe(hashOf(html));
  });

  it("says which line of a list breaks a rule, and which number isn't one", async () => {
    await settle();
    const wrong = { refusals: "entity_id,wallet,reason\n0x12,,x\n", limits: "entity\n" };
    const { html, status } = await planned(wrong, { batch: "0" });
    expect(status).toBe(422);
    expect(html).toMatch(/<a href="#refusals">Refusals: line 2: entity_id must/);
    expect(html).toContain('<a href="#limits">Limits: line 1: the first line must name the columns');
    expect(html).toContain('<a href="#batch">Allocations in a call: Write a whole number from 1 to 9999');
    expect(html).toContain('name="batch" value="0"');
    const large = await planned({ refusals: "x".repeat(256 * 1024 + 1) });
    expect([large.status, large.html]).toEqual([413, expect.stringContaining("256 KB")]);
  });

  it("gives no file of another plan than the one that was shown", async () => {
    await settle();
    const { html } = await planned();
    const changed = await send(html, { do: "plan.json", batch: "3" });
    // Without calls the batch changes nothing.
    expect(changed.headers.get("content-disposition")).not.toBeNull();
    const other = await send(html, { do: "plan.json", sums: "00".repeat(32) });
    expect(other.headers.get("content-disposition")).toBeNull();
    expect(textOf(other.html)).toContain("has changed since, so nothing was downloaded");
  });

  it("refuses a sale that is too large for a page, and figures that aren't the published ones", async () => {
    await settle();
    const { faults } = site.gateway.sales;
    faults.edit(
      CommitmentService.method.getCommitmentData,
      ({ data }) => data && Object.assign(data, { totalAmount: "7" }),
    );
    expect(textOf((await planned()).html)).toContain("others than those that Tidemark publishes");
    faults.edit(
      CommitmentService.method.getCommitmentData,
      ({ data }) => data && Object.assign(data, { commitmentCount: 5_001n }),
    );
    expect(textOf((await planned()).html)).toContain("too large for a plan on this page");
  });
});

describe("the settlement plan of a sale that is read from a contract", () => {
  const asOf = { position: { height: 19_000_000n, hash: BLOCK_HASH } };
  const SETTLEMENT = {
    stage: SaleStage.SETTLEMENT,
    hasSnapshot: true,
    changedPosition: create(SourcePositionSchema, asOf.position),
    feedState: create(FeedStateSchema, { asOf, chain: { chainId: 10n } }),
  };

  /** An indexer of whose answers some are changed. */
  const indexer = (change: Partial<IndexerClient> = {}): IndexerClient => ({
    ...scriptedIndexer({ readable: true, contractVersion: 2 }),
    ...change,
  });
  const versioned = (contractVersion: number) => ({
    checkSource: async () => create(CheckSourceResponseSchema, { readable: true, contractVersion }),
  });

  async function start(change: Partial<IndexerClient> = {}, sale: Partial<Sale> = {}) {
    await startSite(indexer(change));
    await bid();
    show(sale);
  }

  /** Shows the sale as one that is read from a contract and has arrived at its settlement. */
  function show(change: Partial<Sale>) {
    const source = { case: "evm" as const, value: create(EvmSourceSchema, { chain: "ethereum", contract: CONTRACT }) };
    site.gateway.sales.faults.edit(SaleService.method.getSale, ({ sale }) => {
      if (sale?.definition !== undefined) Object.assign(sale.definition, { source });
      if (sale !== undefined) Object.assign(sale, { ...SETTLEMENT, ...change });
    });
  }

  it("waits for the contract's stage", async () => {
    await start({}, { stage: SaleStage.COMMITMENT });
    const { html } = await browser.open(path);
    expect(textOf(html)).toContain("Bidding and cancelling must be over");
  });

  it("has the contract's calls, in batches, and files for a Safe", async () => {
    await start();
    const { html } = await planned({}, { batch: "1" });
    expect(textOf(html)).toContain("And 4 files for a Safe");
    expect(textOf(html)).toContain("19,000,000 of ethereum");
    const { html: text } = await send(html, { do: "calls.json" });
    expect(JSON.parse(text)).toMatchObject({ chainId: "10", calls: [{ allocations: 1 }, {}, {}, {}] });
    expect(JSON.parse((await send(html, { do: "plan.json" })).html).input.source).toMatchObject({
      chainId: "10",
      hash: `0x${"ab".repeat(32)}`,
    });
  });

  it("isn't made before the block is final, and says what the node says", async () => {
    const problem = "block 19000000 isn't final yet";
    await start({ checkFinality: async () => create(CheckFinalityResponseSchema, { problem }) });
    const { html } = await planned();
    expect(textOf(html)).toContain("No plan was made");
    expect(textOf(html)).toContain("may still be undone: Block 19000000 isn&#39;t final yet.");
    expect(hashOf(html)).toBeUndefined();
  });

  it("isn't made while nobody says whether the block is final, or which chain it is of", async () => {
    await start(scriptedIndexer("away"));
    expect(textOf((await planned()).html)).toContain("Nobody can say now whether the block");
    show({ feedState: create(FeedStateSchema, { asOf }) });
    expect(textOf((await planned()).html)).toContain("Nobody can say now whether the block");
  });

  it("has no calls on Solana, whose slot is final, and no ID of the chain", async () => {
    await start(versioned(0));
    const source = create(SvmSourceSchema, { chain: "solana", saleAccount: MINT });
    const slot = create(SourcePositionSchema, { height: 300_000_000n });
    site.gateway.sales.faults.edit(SaleService.method.getSale, ({ sale }) => {
      if (sale?.definition !== undefined) sale.definition.source = { case: "svm", value: source };
      if (sale !== undefined)
        Object.assign(sale, SETTLEMENT, { changedPosition: slot, feedState: create(FeedStateSchema, { asOf }) });
    });
    const { html } = await planned();
    expect(textOf(html)).toContain("None: on Solana Tidemark knows the program’s accounts, not its instructions.");
    expect(html).not.toContain("calls.json");
    expect(JSON.parse((await send(html, { do: "plan.json" })).html).input.source).toEqual({
      ...{ chain: "solana", contract: MINT, height: "300000000" },
    });
    expect((await send(html, { do: "allocations.csv" })).html.split("\r\n").filter(Boolean)).toHaveLength(4);
  });

  it("has no calls for a contract of another version, or of none, and says so", async () => {
    await start(versioned(1));
    expect(textOf((await planned()).html)).toContain(
      "None: the contract is of version 1, and calls are known for version 2 only.",
    );
    await site.stop();
    await start(versioned(0));
    expect(textOf((await planned()).html)).toContain("None: neither the contract nor the settings say its version");
  });
});
