import { describe, expect, it } from "vitest";
import { CallTooLarge, isAboutSize, readHalving } from "./call-too-large.ts";

describe("a node's error about the size of a call", () => {
  it.each([
    [{ code: -32602, message: "Too many inputs provided; max 100" }, true],
    [{ code: -32602, message: "Invalid param: WrongSize" }, true],
    [{ code: -32615, message: "getMultipleAccounts is limited to 5 accounts on your plan" }, true],
    [{ code: -32000, message: "exceeds the maximum number of accounts" }, true],
    [{ code: -32413, message: "Request entity too large" }, true],
    [{ code: -32603, message: "Internal error" }, false],
    [{ code: -32003, message: "rate limit exceeded" }, false],
    [{ code: -32007, message: "50/second request limit reached; reduce calls per second" }, false],
    [{ code: -32000, message: "too many requests" }, false],
    [{ code: -32000, message: "monthly credits exceeded" }, false],
    [{ code: -32000, message: `${"x".repeat(2_000)} too many accounts` }, false],
    ["text", false],
    [null, false],
  ])("%j: %j", (error, isOfSize) => {
    expect(isAboutSize(error)).toBe(isOfSize);
  });
});

describe("readHalving", () => {
  const tooLarge = () => new CallTooLarge("refused", { remedy: "wait" });

  it("reads all at once where that is allowed, and halves down to one where not, in order", async () => {
    const items = Array.from({ length: 13 }, (_, index) => index);
    for (const most of [13, 5, 1]) {
      const read = async (part: readonly number[]) => {
        if (part.length > most) throw tooLarge();
        return part;
      };
      expect(await readHalving(items, read, () => -1)).toEqual(items);
    }
  });

  it("gives an item that is refused alone its own result", async () => {
    const read = async (part: readonly number[]) => {
      if (part.includes(2)) throw tooLarge();
      return part;
    };
    expect(await readHalving([0, 1, 2, 3], read, (item) => -item)).toEqual([0, 1, -2, 3]);
  });

  it("throws other errors, and reads nothing for no items", async () => {
    const read = () => Promise.reject(new Error("away"));
    await expect(readHalving([1, 2], read, () => 0)).rejects.toThrow("away");
    expect(await readHalving([], read, () => 0)).toEqual([]);
  });
});
