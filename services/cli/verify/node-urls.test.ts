import { describe, expect, it } from "vitest";
import { nodeUrlsOf } from "./node-urls.ts";

const inputOf = (...urls: readonly string[]) => ({
  positionals: [],
  text: () => urls[0],
  texts: () => urls,
  flag: () => false,
});

describe("nodeUrlsOf", () => {
  it("takes URLs with keys and users", () => {
    const urls = ["https://node.example/v3/key", "http://user:p%20w@127.0.0.1:8545"];
    expect(nodeUrlsOf(inputOf(...urls))).toEqual(urls);
  });

  it.each(["ws://node.example", "node.example", "", "http://us%er@node.example"])(
    "refuses %j, and repeats no key",
    (url) => {
      expect(() => nodeUrlsOf(inputOf(url))).toThrow("--rpc expects an http or https URL");
    },
  );

  it("refuses none, and too many", () => {
    expect(() => nodeUrlsOf(inputOf())).toThrow("--rpc is missing");
    expect(() => nodeUrlsOf(inputOf(...Array.from({ length: 9 }, () => "http://a")))).toThrow("8 times");
  });
});
