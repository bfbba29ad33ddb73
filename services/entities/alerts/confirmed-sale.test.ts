import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { FeedFault, SaleSchema, SaleStage, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { confirmedSale, judgedSale } from "./confirmed-sale.ts";

const NOW_MS = 1_800_000_000_000n;
const source = { case: "evm", value: { chain: "demo", contractAddress: `0x${"a1".repeat(20)}` } } as const;
const asOf = { position: { height: 5n } };

function sale(given: MessageInitShape<typeof SaleSchema> = {}) {
  const definition = { name: "Harbour", source };
  const read = { status: SaleStatus.OPEN, stage: SaleStage.COMMITMENT, hasSnapshot: true, feedState: { asOf } };
  const all = { generation: 7n, definition, ...read, ...given };
  return create(SaleSchema, all as MessageInitShape<typeof SaleSchema>);
}

describe("a sale", () => {
  it("is judged by figures that its contract has", () => {
    expect(confirmedSale(sale(), NOW_MS)).toEqual({
      name: "Harbour",
      walletKind: "evm",
      generation: 7n,
      phase: "open",
      closesAtMs: undefined,
      isFinal: false,
    });
  });

  it.each([
    ["whose contract wasn't read", { feedState: {} }],
    ["without a whole snapshot", { hasSnapshot: false }],
    ["of which no indexer has reported", { feedState: undefined }],
    ["whose contract can't be read", { feedState: { asOf, fault: FeedFault.UNREADABLE } }],
    ["whose feed is stale", { feedState: { asOf, fault: FeedFault.LATE } }],
    ["without an indexer", { feedState: { asOf, fault: FeedFault.NO_INDEXER } }],
    ["with a fault of a later version", { feedState: { asOf, fault: 99 as FeedFault } }],
    ["during a sweep", { sourceStatus: { sweep: { running: true } } }],
    ["while a large change arrives", { changeSetOpen: true }],
    ["that was withdrawn", { status: SaleStatus.WITHDRAWN }],
  ] satisfies [string, MessageInitShape<typeof SaleSchema>][])("isn't judged: %s", (_title, given) => {
    expect(confirmedSale(sale(given), NOW_MS)).toBeUndefined();
  });

  it("without a contract has the figures of its feeder", () => {
    const fed = sale({ definition: { name: "Fed" }, hasSnapshot: false, stage: 0 });
    expect(confirmedSale(fed, NOW_MS)).toMatchObject({ phase: "open" });
    expect(confirmedSale({ ...fed, changeSetOpen: true }, NOW_MS)).toBeUndefined();
    expect(confirmedSale({ ...fed, status: SaleStatus.SETTLED }, NOW_MS)).toMatchObject({ isFinal: true });
  });

  it("is final once its chain can't undo the settlement", () => {
    const settled = { status: SaleStatus.SETTLED, stage: SaleStage.DONE };
    expect(confirmedSale(sale(settled), NOW_MS)).toMatchObject({ phase: "settled", isFinal: false });
    expect(confirmedSale(sale({ ...settled, feedState: { asOf, final: true } }), NOW_MS)?.isFinal).toBe(true);
  });

  it("closes when its founder says so", () => {
    const presentation = { closesAtSeconds: NOW_MS / 1_000n };
    const closing = sale({ definition: { name: "Harbour", source, presentation } });
    expect(confirmedSale(closing, NOW_MS)).toMatchObject({ phase: "open", closesAtMs: NOW_MS });
  });
});

describe("a judging", () => {
  const confirmed = confirmedSale(sale(), NOW_MS);
  const last = { judgedAtMs: NOW_MS - 60_000n, nextAtMs: NOW_MS, generation: 7n, settled: false };
  it.each([
    ["follows the one before", {}, false],
    ["follows one that has lasted long", { judgedAtMs: NOW_MS - 600_000n }, false],
    ["follows at two minutes late", { nextAtMs: NOW_MS - 120_000n }, false],
    ["is silent if it is later", { nextAtMs: NOW_MS - 120_001n }, true],
    ["is silent if it is the first, or comes after a fault", { judgedAtMs: undefined }, true],
    ["is silent after the restore of a database", { generation: 8n }, true],
  ])("%s", (_title, given, isSilent) => {
    if (confirmed === undefined) throw new Error("the sale isn't confirmed");
    expect(judgedSale(confirmed, { ...last, ...given }, NOW_MS).isSilent).toBe(isSilent);
  });
});
