import { describe, expect, it } from "vitest";
import { recordMessage } from "../../../common/sale/record/commitment-message.ts";
import { commitment } from "../testing/samples.ts";
import { commitmentOf } from "./stored-sale.ts";

describe("commitmentOf", () => {
  it("returns the commitment that was applied", () => {
    const row = commitment(3, { extraData: new Uint8Array([1, 2]) });
    expect(commitmentOf(recordMessage(row))).toEqual(row);
  });

  it("takes index 0 if the record has none", () => {
    const { sourceIndex: _, ...row } = commitment(3);
    expect(commitmentOf(recordMessage(row)).sourceIndex).toBe(0n);
  });
});
