import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { rejectionMessage } from "./rejection-message.ts";

describe("rejectionMessage", () => {
  it("gives the reason if a retry can't help", () => {
    const error = new ConnectError("upserts: must be at most 100, removals included", Code.InvalidArgument);
    expect(rejectionMessage(error)).toBe(
      "the commitments service refuses the snapshot (upserts: must be at most 100, removals included): ask the operator to compare its settings with the indexer's",
    );
  });

  it.each([
    new ConnectError("inside", Code.Unavailable),
    new ConnectError("inside", Code.DeadlineExceeded),
    new TypeError("inside"),
  ])("says nothing of the inside of %s", (error) => {
    expect(rejectionMessage(error)).toBe("the snapshot could not be applied; the indexer will try again");
  });
});
