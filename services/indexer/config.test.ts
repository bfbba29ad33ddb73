import { describe, expect, it } from "vitest";
import { Env } from "../../common/platform/config/env.ts";
import { indexerConfig } from "./config.ts";

describe("indexerConfig", () => {
  it("has a standard for everything", () => {
    const config = indexerConfig(new Env({}));
    expect(config).toEqual({
      chains: [],
      salesIntervalMs: 2_000,
      leaseMs: 6_000,
      maxConcurrentReads: 16,
      maxRows: 5_000,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it("reads each variable", () => {
    const chains = JSON.stringify({ solana: { kind: "svm", urls: ["http://127.0.0.1:8899"] } });
    const config = indexerConfig(
      new Env({
        CHAINS: chains,
        SALES_INTERVAL: "500ms",
        LEASE_DURATION: "10s",
        MAX_CONCURRENT_READS: "3",
        APPLY_MAX_ROWS: "100",
      }),
    );
    expect(config).toMatchObject({ salesIntervalMs: 500, leaseMs: 10_000, maxConcurrentReads: 3, maxRows: 100 });
    expect(config.chains.map(({ name }) => name)).toEqual(["solana"]);
  });

  it.each([
    ["CHAINS", "[]"],
    ["SALES_INTERVAL", "10ms"],
    ["SALES_INTERVAL", "11m"],
    ["LEASE_DURATION", "999ms"],
    ["LEASE_DURATION", "6m"],
    ["MAX_CONCURRENT_READS", "0"],
    ["APPLY_MAX_ROWS", "20001"],
  ])("refuses a bad %s by its name: %s", (variable, value) => {
    expect(() => indexerConfig(new Env({ [variable]: value }))).toThrow(new RegExp(`^${variable}: expected `));
  });
});
