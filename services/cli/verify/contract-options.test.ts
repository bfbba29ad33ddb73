import { describe, expect, it } from "vitest";
import { addressOf, chainIdOf, nodeUrlsOf } from "./contract-options.ts";

const inputOf = (text?: string) => ({ positionals: [], text: () => text, texts: () => [], flag: () => false });

describe("addressOf", () => {
  it("takes an EVM address in any case and an SVM address", () => {
    expect(addressOf(inputOf(`0x${"Ab".repeat(20)}`), "contract")).toBe(`0x${"ab".repeat(20)}`);
    const mint = "So11111111111111111111111111111111111111112";
    expect(addressOf(inputOf(mint), "program")).toBe(mint);
    expect(addressOf(inputOf(), "contract")).toBeUndefined();
  });

  it.each(["", "0x12", `0x${"g".repeat(40)}`])("refuses %j", (text) => {
    expect(() => addressOf(inputOf(text), "contract")).toThrow("--contract must be");
  });
});

describe("chainIdOf", () => {
  it("takes whole numbers that a JavaScript number holds", () => {
    expect(chainIdOf(inputOf("9007199254740991"))).toBe(2n ** 53n - 1n);
    expect(chainIdOf(inputOf())).toBeUndefined();
  });

  it.each(["0", "1.5", "9007199254740992", "0x1"])("refuses %j", (text) => {
    expect(() => chainIdOf(inputOf(text))).toThrow("--chain-id expects");
  });
});

const inputOfUrls = (...urls: readonly string[]) => ({
  positionals: [],
  text: () => urls[0],
  texts: () => urls,
  flag: () => false,
});

describe("nodeUrlsOf", () => {
  it("takes URLs with keys and users", () => {
    const urls = ["https://node.example/v3/key", "http://user:p%20w@127.0.0.1:8545"];
    expect(nodeUrlsOf(inputOfUrls(...urls))).toEqual(urls);
  });

  it.each(["ws://node.example", "node.example", "", "http://us%er@node.example"])(
    "refuses %j, and repeats no key",
    (url) => {
      expect(() => nodeUrlsOf(inputOfUrls(url))).toThrow("--rpc expects an http or https URL");
    },
  );

  it("refuses none, and too many", () => {
    expect(() => nodeUrlsOf(inputOfUrls())).toThrow("--rpc is missing");
    expect(() => nodeUrlsOf(inputOfUrls(...Array.from({ length: 9 }, () => "http://a")))).toThrow("8 times");
  });
});
