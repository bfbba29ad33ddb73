import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { FeedFault, SaleSchema, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { feedWords } from "./feed-words.ts";

type SaleInit = Exclude<MessageInitShape<typeof SaleSchema>, { $typeName: string }>;

const lastSuccess = timestampFromDate(new Date("2026-11-23T12:03:00Z"));
const feedState = { asOf: { position: { height: 1_200n }, lastSuccess }, behind: { seconds: 2n } };
const definition = { source: { case: "evm" as const, value: {} } };
const READ: SaleInit = { status: SaleStatus.OPEN, definition, hasSnapshot: true, sourceStatus: {}, feedState };
const words = (sale: SaleInit) => {
  const found = feedWords(create(SaleSchema, { ...READ, ...sale }));
  return found && [found.state, found.text, ...(found.since === undefined ? [] : [found.since])];
};

it("says that it follows, up to which block, and when that was confirmed", () => {
  expect(words({})).toEqual(["good", "Follows the contract: block 1,200, confirmed 2 seconds ago"]);
  expect(words({ feedState: { ...feedState, behind: { seconds: 1n } } })?.[1]).toContain("confirmed 1 second ago");
  expect(words({ feedState: {} })).toEqual(["good", "Follows the contract"]);
});

it("says that it catches up, and how far it is", () => {
  const sweep = { rowsDone: 1_000n, rowsTotal: 25_000n, running: true };
  expect(words({ hasSnapshot: false })).toEqual(["unknown", "Catching up with the contract"]);
  expect(words({ hasSnapshot: false, sourceStatus: { sweep } })).toEqual([
    "unknown",
    "Catching up: 1,000 of 25,000 commitments read",
  ]);
  expect(words({ sourceStatus: { sweep } })?.[0]).toBe("good");
  expect(words({ sourceStatus: { sweep: { ...sweep, running: false } } })?.[1]).toContain("Follows");
});

it.each([
  [FeedFault.NO_INDEXER, "Stands still: nobody reads the contract"],
  [FeedFault.UNREADABLE, "Stands still: the contract can’t be read"],
  [FeedFault.LATE, "Stands still: no read of the contract ends"],
])("says why and since when it stands still (%i)", (fault, text) => {
  expect(words({ feedState: { ...feedState, fault } })).toEqual(["bad", text, lastSuccess]);
});

it("says what there is to say of other sales", () => {
  expect(words({ definition: {} })).toEqual(["good", "Commitments come from your service"]);
  expect(feedWords(create(SaleSchema, { status: SaleStatus.OPEN, definition }))).toEqual({
    state: "unknown",
    text: "The contract hasn’t been read yet",
  });
  expect(words({ status: SaleStatus.SETTLED, feedState: { ...feedState, final: true } })?.[1]).toBe("Settled for good");
  for (const status of [SaleStatus.DRAFT, SaleStatus.WITHDRAWN]) expect(words({ status })).toBeUndefined();
});
