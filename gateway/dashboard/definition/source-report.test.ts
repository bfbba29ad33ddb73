import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { FeedFault, SaleSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { sourceReport } from "./source-report.ts";

type SaleInit = Exclude<MessageInitShape<typeof SaleSchema>, { $typeName: string }>;

const lastSuccess = timestampFromDate(new Date("2026-11-23T12:03:00Z"));
const feedState = { asOf: { position: { height: 1_200n }, lastSuccess }, behind: { seconds: 2n } };
const READ: SaleInit = { hasSnapshot: true, sourceStatus: {}, feedState };
const report = (sale: SaleInit) => {
  const { state, text } = sourceReport(create(SaleSchema, sale));
  return [state, ...text];
};

const CASES: readonly (readonly [what: string, sale: SaleInit, ...said: string[]])[] = [
  ["read", READ, "good", "Read and shown, up to date: as of block 1,200, confirmed 2 seconds ago."],
  [
    "read, behind",
    { ...READ, sourceStatus: { behind: 1_050n } },
    "good",
    "Read and shown, 1,050 behind the chain: as of block 1,200, confirmed 2 seconds ago.",
  ],
  [
    "read, with a warning",
    { ...READ, sourceStatus: { warning: "the sums differ" } },
    "bad",
    "Read and shown, up to date: as of block 1,200, confirmed 2 seconds ago.",
    "The sums differ.",
  ],
  [
    "unreadable",
    { ...READ, sourceStatus: { fault: "no node answers" }, feedState: { ...feedState, fault: FeedFault.UNREADABLE } },
    "bad",
    "No node answers.",
    "The figures stand still since 23 Nov 2026, 12:03 UTC.",
  ],
  [
    "late",
    { ...READ, feedState: { ...feedState, fault: FeedFault.LATE } },
    "bad",
    "No read of the contract has come to its end lately. The chain’s nodes may be slow or away.",
    "The figures stand still since 23 Nov 2026, 12:03 UTC.",
  ],
  [
    "read by nobody",
    { ...READ, feedState: { ...feedState, fault: FeedFault.NO_INDEXER } },
    "bad",
    "Nobody reads the contract at the moment. Please tell the operator of this installation.",
    "The figures stand still since 23 Nov 2026, 12:03 UTC.",
  ],
  [
    "wrong from the start",
    { sourceStatus: { fault: "there is no contract" } },
    "bad",
    "There is no contract.",
    "The figures stay as they were.",
  ],
  ["not read yet", {}, "unknown", "It hasn’t been read yet."],
  ["being read", { sourceStatus: {} }, "unknown", "It is being read for the first time."],
  [
    "settled for good",
    { ...READ, feedState: { ...feedState, final: true } },
    "good",
    "Read and shown, for good: the sale is settled, and nothing can change any more.",
  ],
  ["of a service of an older version", { hasSnapshot: true, sourceStatus: {} }, "good", "Read and shown, up to date."],
];

it.each(CASES.map(([what, sale, ...said]) => ({ what, sale, said })))(
  "says what is known of a contract that is $what",
  ({ sale, said }) => {
    expect(report(sale)).toEqual(said);
  },
);
