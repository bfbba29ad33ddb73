import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { FeedFault, SaleSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { sourceFault, sourceFaultWords } from "./source-fault.ts";

type SaleInit = Exclude<MessageInitShape<typeof SaleSchema>, { $typeName: string }>;

const faultOf = (sale: SaleInit) => sourceFault(create(SaleSchema, sale));
const reported = { fault: "no node answers" };

it("is what the reader reported, and else in the words of the table", () => {
  expect(faultOf({ feedState: { fault: FeedFault.UNREADABLE }, sourceStatus: reported })).toEqual({
    reported: "no node answers",
  });
  expect(faultOf({ sourceStatus: reported })).toEqual({ reported: "no node answers" });
  expect(faultOf({ feedState: { fault: FeedFault.LATE }, sourceStatus: {} })).toEqual({
    words: sourceFaultWords(FeedFault.LATE),
  });
});

it("is the missing reader whatever the last one reported", () => {
  const fault = faultOf({ feedState: { fault: FeedFault.NO_INDEXER }, sourceStatus: reported });
  expect(fault).toEqual({ words: sourceFaultWords(FeedFault.NO_INDEXER) });
});

it("is none where figures follow, and no words where a later version has given the reason", () => {
  expect(faultOf({ feedState: {}, sourceStatus: {} })).toBeUndefined();
  expect(sourceFaultWords(99 as FeedFault)).toBeUndefined();
});
