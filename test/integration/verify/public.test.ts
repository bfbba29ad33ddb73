import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LocalBus } from "../../../common/platform/bus/local-bus.ts";
import { publicAddress } from "../../../common/verify/shown/public-address.ts";
import { publicFigures } from "../../../common/verify/shown/public-figures.ts";
import { verifySale } from "../../../common/verify/verify.ts";
import type { VerifyOptions } from "../../../common/verify/verify-options.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { runCli } from "../../../services/cli/cli.ts";
import { saleRow, saleRows } from "../../support/chains/evm-chain.ts";
import { databases, type TestDatabase } from "../../support/databases/databases.ts";
import { type CommitmentsFixture, startCommitments } from "../../support/processes/commitments-fixture.ts";
import { type PublicGateway, startPublicGateway } from "../../support/processes/public-gateway.ts";
import { TamperingProxy } from "../../support/processes/tampering-proxy.ts";
import { until } from "../../support/repository/polling.ts";
import { VerifyFixture } from "../../support/sales/verify-fixture.ts";

const ROWS = saleRows(130);
const { signal } = new AbortController();
/** A wallet of every commitment. */
const WALLET = `0x${"d".repeat(40)}`;

type Body = Record<string, never>;
type Listed = Record<string, unknown> & { Amounts: Record<string, string>[] };

/** Changes of one public field of a commitment in the list. */
const OF_COMMITMENTS: Readonly<Record<string, (listed: Listed) => void>> = {
  CommitmentID: (listed) => {
    listed["CommitmentID"] = `0x${"7".repeat(64)}`;
  },
  SaleSpecificEntityID: (listed) => {
    listed["SaleSpecificEntityID"] = `0x${"7".repeat(32)}`;
  },
  PriceNumerator: (listed) => {
    listed["PriceNumerator"] = "8";
  },
  PriceDenominator: (listed) => {
    listed["PriceDenominator"] = "1001";
  },
  PriceMicroUSD: (listed) => {
    delete listed["PriceMicroUSD"];
  },
  CreatedAt: (listed) => {
    listed["CreatedAt"] = "2023-11-14T22:13:21Z";
  },
  ExtraDataRaw: (listed) => {
    listed["ExtraDataRaw"] = "0x77";
  },
  ExtraDataParsed: (listed) => {
    listed["ExtraDataParsed"] = { tier: "1" };
  },
  Amount: ({ Amounts: [amount] }) => {
    if (amount) amount["Amount"] = `${amount["Amount"]}0`;
  },
  Wallet: ({ Amounts: [amount] }) => {
    if (amount) amount["Wallet"] = `0x${"7".repeat(40)}`;
  },
  TokenAddress: ({ Amounts: [amount] }) => {
    if (amount) amount["TokenAddress"] = `0x${"7".repeat(40)}`;
  },
  Amounts: ({ Amounts }) => {
    Amounts.pop();
  },
};

/** Changes of one public figure. */
const OF_FIGURES: Readonly<Record<string, Record<string, unknown>>> = {
  TotalCommitmentAmount: { TotalCommitmentAmount: "1" },
  UniqueCommitmentCount: { UniqueCommitmentCount: 131 },
  PaymentTokenDecimals: { PaymentTokenDecimals: 7 },
  ClearingPriceNumerator: { ClearingPriceNumerator: "6" },
  ClearingPriceMicroUSD: { ClearingPriceMicroUSD: "1" },
  "all commitments": { Commitments: [] },
};

/** Changes of one fact about the sale. */
const OF_SALE: Readonly<Record<string, (sale: Record<string, Record<string, unknown>>) => unknown>> = {
  Stage: (sale) => Object.assign(sale, { Stage: "settlement" }),
  Status: (sale) => Object.assign(sale, { Status: "settled" }),
  Signer: (sale) => Object.assign(sale, { Signer: `0x${"7".repeat(40)}` }),
  BlockHash: (sale) => Object.assign(sale["AsOf"] ?? {}, { BlockHash: `0x${"7".repeat(64)}` }),
  BlockTime: (sale) => Object.assign(sale["AsOf"] ?? {}, { BlockTime: 7 }),
  Decimals: (sale) => Object.assign((sale["PaymentTokens"] as unknown as [object])[0], { Decimals: 7 }),
};

/** Changes of one field of what a wallet has committed. */
const OF_POSITION: Readonly<Record<string, (commitments: Listed[]) => unknown>> = {
  Counted: ([first]) => first && Object.assign(first, { Counted: false }),
  NotCountedReason: ([first]) => first && Object.assign(first, { NotCountedReason: "refunded" }),
  ClearingOutcome: ([first]) => first && Object.assign(first, { ClearingOutcome: "out" }),
  PriceNumerator: ([first]) => first && Object.assign(first, { PriceNumerator: "70" }),
  "number of commitments": (commitments) => commitments.pop(),
};

describe("verify, with the public figures", () => {
  let database: TestDatabase | undefined;
  let service: CommitmentsFixture;
  let gateway: PublicGateway;
  let proxy: TamperingProxy;
  let sale: VerifyFixture;

  beforeAll(async () => {
    database = await databases()[0]?.create();
    if (database === undefined) throw new Error("there is no database");
    const bus = new LocalBus();
    service = await startCommitments(database, { bus });
    gateway = await startPublicGateway(service, bus);
    proxy = await TamperingProxy.start(gateway.origin);
    sale = await VerifyFixture.start(service);
    sale.node.behaviour.tokens = new Map();
    sale.chain.mine({ permitSigner: `0x${"3".repeat(40)}` });
    sale.mine(ROWS);
    await sale.publish();
    await shows(sale.position.height);
  });
  afterAll(async () => {
    await sale?.[Symbol.asyncDispose]();
    await proxy?.[Symbol.asyncDispose]();
    await gateway?.stop();
    await service?.stop();
    await database?.remove();
  });
  beforeEach(() => {
    proxy.tamper = () => {};
  });

  /** Waits until the gateway says that its figures are those of a block. */
  async function shows(height: bigint): Promise<void> {
    const read = async () => (await fetch(`${gateway.origin}/svc/v1/public/sales/${sale.saleUuid}`)).json();
    await until(async () => (await read()).AsOf?.Block === `${height}`, 20);
  }

  const verdictOf = (change: Partial<VerifyOptions> = {}) => {
    const address = publicAddress(`${proxy.origin}/svc/v1/public/sales/${sale.saleUuid}`);
    if (address === undefined) throw new Error("the address can't be read");
    return verifySale({
      readShown: (soon) => publicFigures(address, soon),
      nodes: [sale.node.url],
      signal,
      onProgress: async () => {},
      wait: async () => {},
      ...change,
    });
  };

  const shownWith = (wallet: string) => (soon: AbortSignal) => {
    const address = { origin: proxy.origin, saleUuid: sale.saleUuid, prefix: "svc" };
    return publicFigures(address, soon, wallet);
  };

  it("needs no key: the address of the page and a node are enough", async () => {
    const [output, errors] = [new PassThrough(), new PassThrough()];
    const texts = Promise.all([text(output), text(errors)]);
    const args = ["verify", `${gateway.origin}/sales/${sale.saleUuid}`, "--rpc", sale.node.url];
    const code = await runCli({ args, variables: { DATA_DIR: "/nonexistent" }, output, errors, signal });
    output.end();
    errors.end();
    const [shown, failures] = await texts;
    expect({ code, failures }).toEqual({ code: 0, failures: "" });
    expect(shown).toContain("of all commitments, and the latest commitments one by one");
    expect(shown).toMatch(/^total +same/m);
    expect(shown).toMatch(/^latest +same +100 commitments, field by field, and that they are the latest$/m);
    expect(shown).not.toMatch(/^commitments/m);
  });

  it.each(Object.keys(OF_COMMITMENTS))("finds a listed commitment with another %s", async (field) => {
    proxy.tamper = (path, body) => {
      if (path.endsWith("/commitment-data")) OF_COMMITMENTS[field]?.((body["Commitments"] as Listed[])[7] as Listed);
    };
    expect((await verdictOf()).findings[0]?.check).toBe("latest");
  });

  it.each(Object.keys(OF_FIGURES))("finds another figure: %s", async (figure) => {
    proxy.tamper = (path, body) => {
      if (path.endsWith("/commitment-data")) Object.assign(body, OF_FIGURES[figure]);
    };
    expect((await verdictOf()).differences).toBeGreaterThan(0);
  });

  it.each(Object.keys(OF_SALE))("finds another fact about the sale: %s", async (fact) => {
    sale.node.behaviour.tokens = new Map(
      ["a", "b"].map((digit) => [`0x${digit.repeat(40)}`, { decimals: 6, symbol: "T" }]),
    );
    proxy.tamper = (path, body) => {
      if (path.endsWith(sale.saleUuid)) OF_SALE[fact]?.(body as Record<string, Record<string, unknown>>);
    };
    expect((await verdictOf()).differences).toBeGreaterThan(0);
  });

  it("compares everything that a wallet has committed, however old it is", async () => {
    const verdict = await verdictOf({ readShown: shownWith(WALLET) });
    expect(verdict.differences).toBe(0);
    const detail = `${ROWS.length} commitments of ${WALLET}, field by field`;
    expect(verdict.checks).toContainEqual({ name: "wallet", outcome: "same", detail });
    const none = await verdictOf({ readShown: shownWith(`0x${"9".repeat(40)}`) });
    expect(none.checks.at(-1)?.detail).toMatch(/^0 commitments of/);
  });

  it.each(Object.keys(OF_POSITION))("finds a wallet's commitment with another %s", async (field) => {
    proxy.tamper = (path, body) => {
      if (path.endsWith("/read-position")) OF_POSITION[field]?.(body["Commitments"] as Listed[]);
    };
    const { findings } = await verdictOf({ readShown: shownWith(WALLET) });
    expect(findings.map(({ check }) => check)).toContain("wallet");
  });

  it("looks again where the figures are a moment older than their block", async () => {
    const stale = await (await fetch(`${gateway.origin}/svc/v1/public/sales/${sale.saleUuid}/commitment-data`)).json();
    sale.mine([saleRow(1, { priceTicks: 9n }), ...ROWS.slice(1)]);
    await sale.publish();
    await shows(sale.position.height);
    let reads = 0;
    proxy.tamper = (path, body) => {
      if (!path.endsWith("/commitment-data")) return;
      reads += 1;
      if (reads === 1) Object.assign(body, stale);
    };
    expect(await verdictOf()).toMatchObject({ differences: 0, figuresAt: { height: sale.position.height } });
    expect(reads).toBe(2);
  });

  it("compares figures that change all the time at the block of their last change", async () => {
    let price = 20n;
    const wait = async () => {
      sale.mine([saleRow(1, { priceTicks: price }), ...ROWS.slice(1)]);
      await sale.publish();
      await shows(sale.position.height);
      price += 1n;
    };
    await wait();
    // Each time, the sale has changed at the block up to which it is said to be current.
    const address = { origin: gateway.origin, saleUuid: sale.saleUuid, prefix: "svc" };
    const readShown = async (soon: AbortSignal) => {
      const shown = await publicFigures(address, soon);
      sale.mine([saleRow(1, { priceTicks: price }), ...ROWS.slice(1)]);
      const { height, hash } = sale.position;
      return { ...shown, asOf: { height, hash } };
    };
    const verdict = await verdictOf({ readShown, wait });
    expect(verdict.differences).toBe(0);
    expect(verdict.readAt?.height).toBe(sale.position.height - 1n);
    expect(verdict.remarks[0]).toContain("the block of their last change");
    expect((await verdictOf({ readShown })).differences).toBeGreaterThan(0);
    await wait();
  });

  it("compares what is accepted and paid back, of all and of a wallet", async () => {
    const settled = ROWS.map((row, index) => {
      const accepted = row.amounts.map((amount) => ({ ...amount, amount: 400n + BigInt(index % 3) }));
      return { ...row, refunded: index % 2 === 0, ...(index % 5 !== 0 && { accepted }) };
    });
    sale.mine(settled, 4, { allocates: true });
    await sale.publish(SaleStage.DONE);
    await shows(sale.position.height);
    const readShown = shownWith(WALLET);
    const { differences, checks } = await verdictOf({ readShown });
    expect(differences).toBe(0);
    expect(checks.find(({ name }) => name === "accepted")?.outcome).toBe("same");
    proxy.tamper = (path, { Allocations }) => {
      if (path.endsWith("/read-position")) Object.assign((Allocations as object[])[3] ?? {}, { RefundedAmount: "1" });
    };
    expect((await verdictOf({ readShown })).findings).toMatchObject([
      { check: "wallet", subject: "accepted and paid back" },
    ]);
    proxy.tamper = (path, body) => {
      if (path.endsWith(sale.saleUuid)) Object.assign(body, { AcceptedAmount: "1" });
    };
    expect((await verdictOf()).findings).toMatchObject([{ check: "accepted", shown: "1" }]);
  });

  it.each([
    ["isn't a public read", (body: Body) => Object.assign(body, { TotalCommitmentAmount: "many" })],
    ["has boundless decimals", (body: Body) => Object.assign(body, { PaymentTokenDecimals: 1e9 })],
    ["lacks a field", (body: Body) => Reflect.deleteProperty(body, "Commitments")],
  ])("can't tell where an answer %s", async (_, change) => {
    proxy.tamper = (path, body) => {
      if (path.endsWith("/commitment-data")) change(body as Body);
    };
    await expect(verdictOf()).rejects.toThrow("answered something else than a public read");
  });

  it("can't tell of a sale that isn't public", async () => {
    const address = { origin: gateway.origin, saleUuid: "00000000-0000-4000-8000-000000000000" };
    const readShown = (soon: AbortSignal) => publicFigures(address, soon);
    await expect(verdictOf({ readShown })).rejects.toThrow("with HTTP status 404: it has no such sale");
  });
});
