import { create, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  FeedFault,
  SaleDefinitionSchema,
  SaleSchema,
  SaleStage,
  SaleStatus,
  Tenancy,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { messageOfJson } from "../input/json-file.ts";
import { unpainted } from "../output/paint.ts";
import { saleJson } from "./sale-json.ts";
import { saleTable, saleText } from "./sale-text.ts";

type SaleInit = Exclude<MessageInitShape<typeof SaleSchema>, Message>;

const NOW = Date.UTC(2026, 0, 31, 12);
const EVM = { case: "evm", value: { chain: "ethereum", contract: `0x${"c1".repeat(20)}` } } as const;

const definition: Exclude<SaleInit["definition"], Message | undefined> = {
  name: "An auction",
  paymentTokens: [{ address: "0xa1", decimals: 6, usdStablecoin: true }],
  paymentTokenDecimals: 6,
  priceTick: { numerator: "1", denominator: "1000" },
  pricing: { case: "auction", value: { offeredAmount: "9", floorTicks: "10", incrementTicks: "5" } },
  source: EVM,
};

const status = {
  headHeight: 1_250n,
  behind: 50n,
  checkedAt: timestampFromMs(NOW - 3_000),
  sweep: { rowsDone: 500n, rowsTotal: 1_000n, running: true, sweepRequests: 1n },
  sweepRequests: 2n,
};

const feedState = {
  asOf: {
    position: { height: 1_200n, hash: new Uint8Array([1, 255]) },
    blockTime: timestampFromMs(NOW - 60_000),
    lastSuccess: timestampFromMs(NOW - 48_000),
  },
  behind: { seconds: 48n, nanos: 900_000_000 },
};

const saleOf = (change: SaleInit = {}) =>
  create(SaleSchema, {
    uuid: "11111111-1111-4111-8111-111111111111",
    tenancy: Tenancy.TEST,
    status: SaleStatus.OPEN,
    definition,
    createdAt: timestampFromMs(NOW),
    revision: 7n,
    generation: 255n,
    stage: SaleStage.PRE_OPEN,
    hasSnapshot: true,
    sourcePosition: { height: 1_200n, hash: new Uint8Array([1, 255]) },
    sourceStatus: status,
    feedState,
    ...change,
  });

describe("saleText", () => {
  it("has the definition, the status and the state of reading the source", () => {
    const text = saleText(saleOf(), NOW);
    for (const line of [
      "Name                   An auction",
      "Paid in                0xa1; 6 decimals, a dollar stablecoin",
      "For sale               9 smallest units of the token",
      "Lowest price           0.00000001 dollars per smallest unit of the token; 10 price ticks of 0.000000001 dollars",
      `Commitments            read from 0x${"c1".repeat(20)} on ethereum`,
      "Price tick             0.000000001 dollars per smallest unit of the token. Every price is a whole number of these.",
      "Cancelled commitments  lose their amounts",
      "Status                 open, test tenancy",
      "Created                2026-01-31T12:00:00Z",
      "Revision               7 of generation 0x00000000000000ff",
      "Stage                  before opening",
      "Read up to             1,200",
      "As of                  block 1,200 of 2026-01-31T11:59:00Z; last confirmed at 2026-01-31T11:59:12Z",
      "Behind                 48 s; 50 blocks, the chain was seen at 1,250",
      "Reader                 reported 3 s ago",
      "Fault                  none",
      "Sweep                  running, 500 of 1,000 rows; another one was requested",
    ]) {
      expect(text.split("\n")).toContain(line);
    }
  });

  it("never has the chain behind the position that was read", () => {
    const text = saleText(saleOf({ sourceStatus: { ...status, headHeight: 1_199n, behind: 0n } }), NOW);
    expect(text).toMatch(/^Behind +48 s; 0 blocks, the chain was seen at 1,200$/m);
  });

  it.each([
    [FeedFault.UNSPECIFIED, /^Fault +none$/m],
    [FeedFault.LATE, /^Fault +No read of the contract has come to its end lately\. See the indexer’s log/m],
    [FeedFault.NO_INDEXER, /^Fault +Nobody reads the contract at the moment\. Check that an indexer is running/m],
    [FeedFault.UNREADABLE, /^Fault +The contract can’t be read at the moment\.$/m],
  ])("says that the feed stands still, fault %s", (fault, line) => {
    expect(saleText(saleOf({ feedState: { ...feedState, fault } }), NOW)).toMatch(line);
  });

  it("has read up to the block of the last report where nothing was applied since", () => {
    const text = saleText(saleOf({ sourcePosition: { height: 1_190n, hash: new Uint8Array([1]) } }), NOW);
    expect(text).toMatch(/^Read up to +1,200$/m);
  });

  it("says that a settled sale can't be behind", () => {
    const text = saleText(saleOf({ feedState: { ...feedState, behind: {}, final: true } }), NOW);
    expect(text).toMatch(/^Behind +50 blocks, the chain was seen at 1,250; settled, nothing can change any more$/m);
  });

  it("leaves out what a service of an older version doesn't say", () => {
    const text = saleText(saleOf({ feedState: undefined }), NOW);
    expect(text).not.toMatch(/^As of/m);
    expect(text).toMatch(/^Behind +50 blocks, the chain was seen at 1,250$/m);
  });

  it("says why a sale isn't shown", () => {
    const fresh = saleOf({
      hasSnapshot: false,
      changeSetOpen: true,
      sourcePosition: undefined,
      feedState: undefined,
      sourceStatus: undefined,
    });
    const text = saleText(fresh, NOW);
    expect(text).toMatch(/^Read up to +nothing; there is no complete snapshot yet/m);
    expect(text).toMatch(/^Change set +open/m);
    expect(text).toMatch(/^Reader +none yet/m);
  });

  it("says of a withdrawn sale only that nobody reads it", () => {
    const withdrawn = { status: SaleStatus.WITHDRAWN, hasSnapshot: false };
    const text = saleText(saleOf({ ...withdrawn, feedState: { ...feedState, fault: FeedFault.NO_INDEXER } }), NOW);
    expect(text).toMatch(/^Reader +none; the sale is withdrawn$/m);
    expect(text).not.toMatch(/^(?:Read up to|As of|Behind|Fault|Warning|Sweep)/m);
  });

  it("lets no name and no fault write to the terminal", () => {
    const text = saleText(saleOf({ sourceStatus: { ...status, fault: "\u001b]0;x\u0007", warning: "a\u202eb" } }), NOW);
    expect(text).toMatch(/^Fault +\ufffd\]0;x\ufffd$/m);
    expect(text).toMatch(/^Warning +a\ufffdb$/m);
  });
});

describe("saleTable", () => {
  const summaryOf = (change: SaleInit) => {
    const [, line = ""] = saleTable([saleOf(change)], unpainted).split("\n");
    return line.split(/ {2,}/)[4];
  };
  const quiet = { ...status, sweep: { ...status.sweep, running: false } };

  it.each([
    ["by RPC", { definition: { ...definition, source: { case: undefined } } }],
    ["fault", { sourceStatus: { ...status, fault: "x" } }],
    ["sweep", {}],
    ["50 behind", { sourceStatus: quiet }],
    ["up to date", { sourceStatus: { ...quiet, behind: 0n } }],
    ["warning", { sourceStatus: { ...quiet, warning: "x" } }],
    ["no snapshot", { hasSnapshot: false, sourceStatus: quiet }],
    ["no reader yet", { sourceStatus: undefined }],
    ["no reader", { sourceStatus: quiet, feedState: { ...feedState, fault: FeedFault.NO_INDEXER } }],
    ["not read", { status: SaleStatus.WITHDRAWN, hasSnapshot: false }],
    ["late", { sourceStatus: quiet, feedState: { ...feedState, fault: FeedFault.LATE } }],
  ] as [string, SaleInit][])("says %s", (summary, change) => {
    expect(summaryOf(change)).toBe(summary);
  });
});

describe("saleJson", () => {
  it("has a definition that makes the same sale", () => {
    const json = JSON.parse(JSON.stringify(saleJson(saleOf())));
    expect(messageOfJson(SaleDefinitionSchema, json.definition)).toEqual(saleOf().definition);
  });

  it("has names for enums, strings for 64-bit integers and hex for the hash", () => {
    expect(saleJson(saleOf())).toMatchObject({
      tenancy: "test",
      status: "open",
      stage: "pre_open",
      revision: "7",
      generation: "255",
      sourcePosition: { height: "1200", hash: "0x01ff" },
      feedState: {
        asOf: { position: { height: "1200", hash: "0x01ff" }, lastSuccess: "2026-01-31T11:59:12Z" },
        behind: "48.900s",
        fault: null,
        final: false,
      },
    });
  });
});
