import { describe, expect, it } from "vitest";
import { ConfigError, Env } from "../platform/config/env.ts";
import { chainsConfig } from "./chains-config.ts";

const URL_WITH_KEY = "https://node.test/v3/hunter2";
const evm = { kind: "evm", chainId: 1, urls: [URL_WITH_KEY] };
const svm = { kind: "svm", urls: [URL_WITH_KEY] };

function chainsOf(value: unknown) {
  return chainsConfig(new Env({ CHAINS: typeof value === "string" ? value : JSON.stringify(value) }));
}

function refusal(value: unknown): string {
  try {
    chainsOf(value);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("chainsConfig", () => {
  it("has no chain if none is configured", () => {
    expect(chainsConfig(new Env({}))).toEqual([]);
    expect(chainsOf({})).toEqual([]);
  });

  it("fills in defaults", () => {
    expect(chainsOf({ ethereum: evm, solana: svm })).toEqual([
      {
        family: "evm",
        name: "ethereum",
        chainId: 1,
        coinSymbol: "ETH",
        urls: [URL_WITH_KEY],
        confirmations: 2,
        pollIntervalMs: 2_000,
        maxConcurrency: 4,
        chunkRows: 500,
        sweepIntervalMs: 600_000,
        maxCommitments: 5_000_000,
        maxHeadLag: 10,
        requestTimeoutMs: 10_000,
      },
      {
        family: "svm",
        name: "solana",
        program: "3XxHCh947y1PAMK5y8oecBtaLU7TtTj9r4yMYwzFbJYs",
        urls: [URL_WITH_KEY],
        commitment: "confirmed",
        pollIntervalMs: 2_000,
        maxConcurrency: 4,
        maxHeadLag: 50,
        requestTimeoutMs: 10_000,
      },
    ]);
  });

  it("reads every field", () => {
    const explorerUrl = "https://explorer.test/address/{address}?x=1";
    const common = { pollInterval: "250ms", maxConcurrency: 8, maxHeadLag: 3, requestTimeout: "30s", explorerUrl };
    const own = {
      webSocketUrl: "wss://node.test/x",
      confirmations: 0,
      chunkRows: 50,
      maxCommitments: 7,
      sweepInterval: "1h",
    };
    const program = "11111111111111111111111111111111";
    const chains = chainsOf({
      "base-2": { ...evm, ...common, ...own },
      final: { ...evm, confirmations: "finalized" },
      solana: { ...svm, ...common, program, genesisHash: program, commitment: "finalized" },
    });
    const commonMs = {
      pollIntervalMs: 250,
      maxConcurrency: 8,
      maxHeadLag: 3,
      requestTimeoutMs: 30_000,
      explorerUrl,
    };
    const { sweepInterval: _, ...rest } = own;
    expect(chains[0]).toMatchObject({ name: "base-2", ...commonMs, ...rest, sweepIntervalMs: 3_600_000 });
    expect(chains[1]).toMatchObject({ confirmations: "finalized" });
    expect(chains[2]).toMatchObject({ ...commonMs, program, genesisHash: program, commitment: "finalized" });
  });

  it.each([
    ["text that is no JSON", `{"a": "${URL_WITH_KEY}`],
    ["a list", [evm]],
    ["null", "null"],
    ["a number", "7"],
  ])("refuses %s", (_, value) => {
    expect(refusal(value)).toBe("CHAINS: expected a JSON object of chains by name");
  });

  it("accepts 64 chains of 8 URLs, and no more chains", () => {
    const urls = Array(8).fill(URL_WITH_KEY);
    const chains = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, number) => [`chain-${number}`, { ...evm, urls }]));
    expect(chainsOf(chains(64))).toHaveLength(64);
    expect(refusal(chains(65))).toBe("CHAINS: expected 64 chains at most");
  });

  it.each(["", "Ethereum", "-a", "a_b", "a".repeat(64), "__proto__", URL_WITH_KEY])(
    "refuses the chain name %j",
    (name) => {
      const message = refusal(`{${JSON.stringify(name)}: ${JSON.stringify(evm)}}`);
      expect(message).toBe("CHAINS: expected chain names of a-z, 0-9 and -, 63 at most");
    },
  );

  it.each([[null], ["text"], [URL_WITH_KEY]])("refuses %j for a chain", (value) => {
    expect(refusal({ ethereum: value })).toBe("CHAINS: expected an object for ethereum");
  });

  it.each<[string, object, string]>([
    ["kind", { ...evm, kind: undefined }, "evm or svm"],
    ["kind", { ...evm, kind: "bitcoin" }, "evm or svm"],
    ["chainId", { ...evm, chainId: undefined }, "a whole number from 1 to 9007199254740991"],
    ["chainId", { ...evm, chainId: "1" }, "a whole number"],
    ["chainId", { ...evm, chainId: 0 }, "a whole number"],
    ["chainId", { ...evm, chainId: 1.5 }, "a whole number"],
    ["urls", { ...evm, urls: undefined }, "a list of 1 to 8 http or https URLs"],
    ["urls", { ...evm, urls: [] }, "a list"],
    ["urls", { ...evm, urls: URL_WITH_KEY }, "a list"],
    ["urls", { ...evm, urls: [URL_WITH_KEY, "node.test/hunter2"] }, "a list"],
    ["urls", { ...evm, urls: [URL_WITH_KEY, "wss://node.test/hunter2"] }, "a list"],
    ["urls", { ...evm, urls: [URL_WITH_KEY, 7] }, "a list"],
    ["urls", { ...svm, urls: [] }, "a list"],
    ["urls", { ...svm, urls: Array(9).fill(URL_WITH_KEY) }, "a list of 1 to 8"],
    ["urls", { ...evm, urls: ["https://user:100%hunter2@node.test"] }, "a list"],
    ["urls", { ...evm, urls: [`${URL_WITH_KEY}#`] }, "a list"],
    ["webSocketUrl", { ...evm, webSocketUrl: "wss://node.test/hunter2#fragment" }, "a URL"],
    ["webSocketUrl", { ...evm, webSocketUrl: URL_WITH_KEY }, "a URL of ws: or wss:"],
    ["webSocketUrl", { ...evm, webSocketUrl: null }, "a URL"],
    [
      "explorerUrl",
      { ...evm, explorerUrl: "https://explorer.test/address/" },
      "an http or https URL with {address} once",
    ],
    ["explorerUrl", { ...evm, explorerUrl: "https://{address}.test/" }, "an http or https URL"],
    ["explorerUrl", { ...evm, explorerUrl: "https://user@explorer.test/{address}" }, "an http or https URL"],
    ["explorerUrl", { ...svm, explorerUrl: "javascript://explorer.test/{address}" }, "an http or https URL"],
    ["explorerUrl", { ...svm, explorerUrl: "https://explorer.test/{address}/{address}" }, "an http or https URL"],
    [
      "explorerUrl",
      { ...svm, explorerUrl: `https://explorer.test/{address}${"x".repeat(400)}` },
      "an http or https URL",
    ],
    ["explorerUrl", { ...svm, explorerUrl: 7 }, "an http or https URL"],
    ["coinSymbol", { ...evm, coinSymbol: "<b>" }, "1 to 32 visible characters"],
    ["coinSymbol", { ...evm, coinSymbol: "" }, "1 to 32 visible characters"],
    ["coinSymbol", { ...svm, coinSymbol: "SOL" }, "no such field"],
    ["confirmations", { ...evm, confirmations: -1 }, "a whole number from 0 to 10000"],
    ["confirmations", { ...evm, confirmations: "latest" }, "a whole number"],
    ["pollInterval", { ...evm, pollInterval: "10ms" }, "a duration such as 2s, from 50ms to 600000ms"],
    ["pollInterval", { ...svm, pollInterval: 2_000 }, "a duration"],
    ["maxConcurrency", { ...evm, maxConcurrency: 0 }, "a whole number from 1 to 64"],
    ["maxConcurrency", { ...svm, maxConcurrency: 65 }, "a whole number"],
    ["chunkRows", { ...evm, chunkRows: 10_001 }, "a whole number from 1 to 10000"],
    ["maxCommitments", { ...evm, maxCommitments: 50_000_001 }, "a whole number from 1 to 50000000"],
    ["maxHeadLag", { ...evm, maxHeadLag: 0 }, "a whole number from 1 to 1000000"],
    ["maxHeadLag", { ...svm, maxHeadLag: "10" }, "a whole number from 1 to 1000000"],
    ["chunkRows", { ...evm, chunkRows: null }, "a whole number"],
    ["sweepInterval", { ...evm, sweepInterval: "2d" }, "a duration such as 10m, from 1000ms to 86400000ms"],
    ["requestTimeout", { ...evm, requestTimeout: "never" }, "a duration such as 10s, from 100ms to 120000ms"],
    ["commitment", { ...svm, commitment: "processed" }, "confirmed or finalized"],
    ["program", { ...svm, program: "" }, "base58 of 32 bytes"],
    ["program", { ...svm, program: `0x${"a1".repeat(20)}` }, "base58 of 32 bytes"],
    ["program", { ...svm, program: "1".repeat(33) }, "base58 of 32 bytes"],
    ["program", { ...svm, program: null }, "base58 of 32 bytes"],
    ["genesisHash", { ...svm, genesisHash: "mainnet" }, "base58 of 32 bytes"],
    ["confirmation", { ...evm, confirmation: 3 }, "no such field"],
    ["chunkRows", { ...svm, chunkRows: 3 }, "no such field"],
    ["toString", { ...evm, toString: 3 }, "no such field"],
  ])("names chain and field of a bad %s, and shows no URL: %j", (field, value, expected) => {
    const message = refusal({ good: evm, "chain-2": value });
    expect(message).toContain(`CHAINS: chain-2.${field}: expected ${expected}`);
    expect(message).not.toMatch(/hunter2|node\.test/);
  });
});
