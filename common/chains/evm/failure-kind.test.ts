import { describe, expect, it } from "vitest";
import { kindOfAnswer, kindOfRpcError, kindOfStatus, redactedMessage } from "./failure-kind.ts";

describe("kindOfRpcError", () => {
  it.each([
    [-32000, "header not found", "unavailable"],
    [-32000, "missing trie node 0abc", "unavailable"],
    [-32603, "internal error", "unavailable"],
    [-32000, "hash is not currently canonical", "unavailable"],
    [-32005, "limit exceeded", "rate_limited"],
    [-32000, "Too Many Requests", "rate_limited"],
    [-32005, "query returned more than 10000 results", "too_large"],
    [-32000, "out of gas", "too_large"],
    [3, "EVM error: OutOfGas", "too_large"],
    [-32603, "EVM error MemoryOOG", "too_large"],
    [-32000, "EVM error: PrecompileOOG", "too_large"],
    [-32000, "INSUFFICIENT_GAS", "too_large"],
    [-32000, "gas required exceeds allowance (50000000)", "too_large"],
    [-32008, "Response is too big", "too_large"],
    [-32000, "exceed maximum block range: 5000", "too_large"],
    [-32000, "execution aborted (timeout = 5s)", "timeout"],
    [-32002, "request timed out", "timeout"],
    [3, "execution reverted", "reverted"],
    [3, "execution reverted: 429 too many requests, rate limit", "reverted"],
    [-32000, "Execution reverted (invalid API key)", "reverted"],
    [-32603, "VM Exception while processing transaction: reverted with reason string 'timed out'", "reverted"],
    [-32015, "VM execution error.", "reverted"],
    [-32000, "invalid opcode: INVALID", "reverted"],
    [-32601, "the method eth_getLogs does not exist", "unsupported"],
    [-32602, "invalid argument 1: json: cannot unmarshal object", "unsupported"],
    [-32600, "Must be authenticated!", "unauthorised"],
  ])("takes %i %j for %s", (code, message, kind) => {
    expect(kindOfRpcError({ code, message })).toBe(kind);
  });
});

it("kindOfRpcError reads the first 1,024 characters only", () => {
  const padding = "x".repeat(1_024);
  expect(kindOfRpcError({ code: -32000, message: `${padding} rate limit` })).toBe("unavailable");
  expect(kindOfRpcError({ code: -32000, message: `rate limit ${padding}` })).toBe("rate_limited");
});

describe("kindOfAnswer", () => {
  it.each([
    [404, "header not found", "unavailable"],
    [404, "execution reverted", "reverted"],
    [400, "execution reverted", "reverted"],
    [500, "query returned more than 10000 results", "too_large"],
    [201, "header not found", "unavailable"],
    [429, "slow down", "rate_limited"],
    [403, "no", "unauthorised"],
    [413, "no", "too_large"],
    [504, "no", "timeout"],
  ])("takes %i with %j for %s", (status, message, kind) => {
    expect(kindOfAnswer(status, { code: -32000, message })).toBe(kind);
  });
});

describe("kindOfStatus", () => {
  it.each([
    [401, "unauthorised"],
    [403, "unauthorised"],
    [404, "wrong_url"],
    [301, "wrong_url"],
    [408, "timeout"],
    [413, "too_large"],
    [429, "rate_limited"],
    [500, "unavailable"],
    [502, "unavailable"],
    [504, "timeout"],
  ])("takes %i for %s", (status, kind) => {
    expect(kindOfStatus(status)).toBe(kind);
  });
});

describe("redactedMessage", () => {
  it("leaves out URLs, keys and control characters", () => {
    const message = redactedMessage("no key for https://node.example/v2/abc\n: 0123456789abcdef0123456789abcdef!");
    expect(message).toBe("no key for … : …!");
  });

  it("is bounded", () => {
    expect(redactedMessage("a b ".repeat(1000)).length).toBeLessThanOrEqual(160);
  });
});
