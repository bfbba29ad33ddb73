import { randomUUID } from "node:crypto";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicBody } from "../../../gateway/public-read/cache/public-body.ts";
import { SaleDefinitionSchema, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { codeBlocks, codeSpans, tableRows } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";

const document = readRepository("docs/sales.md");
const [definitionBlock, figuresBlock] = codeBlocks(document, "json");
const exampleDefinition = JSON.parse(definitionBlock?.code ?? "");
const DOLLAR = exampleDefinition.paymentTokens[0];
const OTHER = { address: "0x1000000000000000000000000000000000000002", decimals: 18, usdStablecoin: true };
const SOURCE = { chain: "ethereum", contract: "0x1000000000000000000000000000000000000003" };
const WALLET = "0x00000000000000000000000000000000000000b1";

interface Bid {
  readonly priceTicks?: string;
  readonly token?: string;
  readonly amount: string;
  readonly extraData?: Uint8Array;
}

let folder: TemporaryFolder;
let service: CommitmentsProcess;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startCommitmentsProcess({ DATA_DIR: folder.path });
});
afterAll(async () => {
  await service?.process.kill();
  await folder?.remove();
});

async function openSale(definition: JsonValue): Promise<string> {
  const saleUuid = randomUUID();
  const message = fromJson(SaleDefinitionSchema, definition);
  await service.sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition: message });
  // There is no indexer to check a contract.
  await service.sales.openSale({
    saleUuid,
    overrideConfirmName: message.source.case === undefined ? "" : message.name,
  });
  return saleUuid;
}

/** The public body of a new sale on which these have bid, in this order. */
async function bodyAfter(definition: JsonValue, bids: readonly Bid[]) {
  const saleUuid = await openSale(definition);
  const upserts = bids.map(({ priceTicks = "0", token = DOLLAR.address, amount, extraData }, index) => ({
    commitmentId: new Uint8Array(32).fill(index + 1),
    entityId: new Uint8Array(16).fill(index + 1),
    // The latest is listed first.
    createdAtSeconds: BigInt(bids.length - index),
    priceTicks,
    amounts: [{ wallet: WALLET, token, amount }],
    ...(extraData === undefined ? {} : { extraData }),
  }));
  await service.commitments.applyCommitments({ saleUuid, requestId: randomUUID(), upserts });
  const { data } = await service.commitments.getCommitmentData({ saleUuid });
  if (data === undefined) throw new Error("the service answered without data");
  return JSON.parse(publicBody(data).bytes().toString());
}

describe("docs/sales.md", () => {
  const people = tableRows(document, "who").map(([, dollars = "", ticks = ""]) => ({
    dollars: BigInt(dollars),
    ticks: BigInt(ticks),
  }));

  it("has an auction that ends as it says", async () => {
    const bids = people.map(({ dollars, ticks }) => ({ priceTicks: String(ticks), amount: `${dollars}000000` }));
    const { Commitments: _, ...figures } = await bodyAfter(exampleDefinition, bids);
    expect(figures).toEqual(JSON.parse(figuresBlock?.code ?? ""));
  });

  it("reckons demand and cost of that auction rightly", () => {
    for (const [tick = "", demand, cost, sold] of tableRows(document, "price in ticks")) {
      const bidders = people.filter(({ ticks }) => ticks >= BigInt(tick));
      const sum = bidders.reduce((total, { dollars }) => total + dollars, 0n);
      expect([demand, cost, sold]).toEqual([`${sum}`, tick, sum >= BigInt(tick) ? "yes" : "no"]);
    }
  });

  it("normalises amounts as it says", async () => {
    const rows = tableRows(document, "token decimals");
    const definition = { ...exampleDefinition, paymentTokens: [DOLLAR, OTHER], paymentTokenDecimals: 6 };
    const bids = rows.map(([decimals, amount = ""]) => ({
      token: decimals === "18" ? OTHER.address : DOLLAR.address,
      amount,
    }));
    const body = await bodyAfter(definition, bids);
    const listed = body.Commitments.map(({ Amounts: [{ Amount }] }: { Amounts: [{ Amount: string }] }) => Amount);
    expect(listed).toEqual(rows.map(([, , amount]) => amount));
    expect(document).toContain(`The total is ${body.TotalCommitmentAmount}.`);
    expect(body.UniqueCommitmentCount).toBe(3);
  });

  it("shows a bid of 629 ticks as 62.9 cents", async () => {
    const body = await bodyAfter(exampleDefinition, [{ priceTicks: "629", amount: "1" }]);
    expect(document).toContain("A bid of 629 ticks is 62.9\ncents a token.");
    expect(body.Commitments[0]).toMatchObject({ PriceNumerator: "629", PriceMicroUSD: "629000" });
  });

  it.each(tableRows(document, "parameters"))("shows extra data of %s as it says", async (...cells) => {
    const [parameters = "", data = "", shown = ""] = cells.flatMap(codeSpans);
    const extraData = new Uint8Array(Buffer.from(data.slice("0x".length), "hex"));
    const definition = { ...exampleDefinition, extraDataParameters: parameters };
    const body = await bodyAfter(definition, [{ amount: "1", extraData }]);
    expect(body.Commitments[0].ExtraDataParsed).toEqual(JSON.parse(shown));
  });
});

/** A change of each setting of the table in the document. */
const CHANGES: Readonly<Record<string, Record<string, JsonValue>>> = {
  name: { name: "Another" },
  "payment tokens": { paymentTokens: [DOLLAR, OTHER] },
  "payment token decimals": { paymentTokenDecimals: 18 },
  "offered token decimals": { offeredTokenDecimals: 9 },
  "price tick": { priceTick: { numerator: "1", denominator: "10" } },
  "kind of pricing": { fixed: { priceTicks: "1" } },
  "wide prices": { widePrices: true },
  "floor, increment, offered amount": { auction: { offeredAmount: "7", floorTicks: "8", incrementTicks: "9" } },
  "fixed price": { fixed: { priceTicks: "2" } },
  "amount for sale at a fixed price": { fixed: { priceTicks: "1", offeredAmount: "7" } },
  "source of the commitments": { evm: { chain: "ethereum", contract: OTHER.address } },
  "version of the contract": { evm: { ...SOURCE, contractVersion: 1 } },
  "extra data parameters": { extraDataParameters: "uint64 tier" },
  "cancelled keeps amounts": { cancelledKeepsAmounts: true },
  "description, link, symbol, times": {
    presentation: { description: "New", website: "https://a.example", offeredTokenSymbol: "A", opensAtSeconds: "1" },
  },
  contact: { presentation: { contact: "help@sale.example" } },
  "total supply": { presentation: { totalSupply: `${10n ** 24n}` } },
  "claim, refund and vesting": {
    presentation: { claimTerms: "A", claimsAtSeconds: "2", refundTerms: "B", vestingTerms: "C", vestedBySeconds: "3" },
  },
};

/** Definitions that a setting can't be changed without. */
const BEFORE: Readonly<Record<string, JsonValue>> = {
  "fixed price": withPricing({ fixed: { priceTicks: "1" } }),
  "amount for sale at a fixed price": withPricing({ fixed: { priceTicks: "1" } }),
  "version of the contract": { ...exampleDefinition, evm: SOURCE },
};

function withPricing(pricing: Record<string, JsonValue>): JsonValue {
  const { auction: _, ...rest } = exampleDefinition;
  return { ...rest, ...pricing };
}

describe("what docs/sales.md says of an open sale's settings", () => {
  const rows = tableRows(document, "setting");

  it("covers every setting once", () => {
    expect(rows.map(([setting]) => setting)).toEqual(Object.keys(CHANGES));
  });

  it.each(rows)("holds for the %s: %s", async (setting = "", rule = "") => {
    const change = CHANGES[setting] ?? {};
    const before = BEFORE[setting] ?? exampleDefinition;
    const changed = "fixed" in change ? withPricing(change) : { ...exampleDefinition, ...change };
    const outcome = await update(await openSale(before), changed);
    expect(outcome).toBe(rule.startsWith("frozen") ? "refused" : "changed");
  });

  it("lets no token leave or become another", async () => {
    const others = [[OTHER], [{ ...DOLLAR, usdStablecoin: false }], [{ ...DOLLAR, decimals: 7 }]];
    for (const paymentTokens of others) {
      expect(await update(await openSale(exampleDefinition), { ...exampleDefinition, paymentTokens })).toBe("refused");
    }
  });

  async function update(saleUuid: string, definition: JsonValue): Promise<"changed" | "refused"> {
    const request = { saleUuid, definition: fromJson(SaleDefinitionSchema, definition), expectedDefinitionVersion: 1n };
    const answer = await service.sales.updateSale(request).catch((error: Error) => error.message);
    if (typeof answer !== "string") return "changed";
    expect(answer).toMatch(/can't change|must keep|no longer a draft/);
    return "refused";
  }
});
