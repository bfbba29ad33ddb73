import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { refusalWords } from "./rejection-message.ts";

describe("refusalWords", () => {
  it("tells why, where asking again is of no use", () => {
    const error = new ConnectError("upserts: must be at most 100, removals included", Code.InvalidArgument);
    expect(refusalWords(error)).toBe(
      "the commitments service refuses what was read (upserts: must be at most 100, removals included): have the operator compare its settings with the indexer's",
    );
  });

  it.each([
    new ConnectError("inside", Code.Unavailable),
    new ConnectError("inside", Code.DeadlineExceeded),
    new TypeError("inside"),
  ])("says nothing of the inside of %s", (error) => {
    expect(refusalWords(error)).toBe("the reading could not be applied; it is tried again");
  });
});
