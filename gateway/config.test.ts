import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type ConfigError, Env } from "../common/platform/config/env.ts";
import { generateCallerKey } from "../common/platform/rpc/identity/caller-keys.ts";
import { type CommitmentData, CommitmentDataSchema } from "../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { commitmentsUpstreamConfig, gatewayConfig } from "./config.ts";
import { publicBody } from "./public-read/cache/public-body.ts";

const config = (variables: Record<string, string> = {}) => gatewayConfig(new Env(variables));

describe("gatewayConfig", () => {
  it("listens on the loopback by default, under the prefix svc, and is frozen", () => {
    expect(config()).toMatchObject({ host: "127.0.0.1", port: 8080, publicPathPrefix: "svc", maxRequestBytes: 16_384 });
    expect(config().cache).toMatchObject({ maxStaleMs: 1000, maxAgeMs: 60_000, maxBytes: 268_435_456 });
    expect(Object.isFrozen(config()) && Object.isFrozen(config().cache) && Object.isFrozen(config().http)).toBe(true);
  });

  it.each([
    ["PUBLIC_PATH_PREFIX", "a/b"],
    ["PUBLIC_PATH_PREFIX", ".."],
    ["PUBLIC_PATH_PREFIX", "a b"],
    ["PUBLIC_PATH_PREFIX", "%61"],
    ["GATEWAY_PORT", "65536"],
    ["CACHE_MAX_STALE", "10ms"],
    ["CACHE_MAX_BYTES", "1MiB"],
    ["PUBLIC_READ_MAX_BODY", "1"],
    ["HTTP_MAX_CONNECTIONS", "0"],
    ["HTTP_MAX_PER_ADDRESS", "0"],
    ["HTTP_WRITE_TIMEOUT", "99ms"],
  ])("refuses %s=%s and names it", (name, value) => {
    expect(() => config({ [name]: value })).toThrow(expect.objectContaining({ variable: name }) as ConfigError);
  });

  it("refuses bounds that contradict each other", () => {
    expect(() => config({ CACHE_MAX_AGE: "1s", CACHE_MAX_STALE: "2s" })).toThrow(/^CACHE_MAX_AGE: /);
    expect(() => config({ HTTP_HEADERS_TIMEOUT: "20s" })).toThrow(/^HTTP_REQUEST_TIMEOUT: /);
  });
});

/** The largest body that the contract allows: 100 rows, each with the most amounts and the most extra data. */
function largestData(): CommitmentData {
  const wallet = `0x${"f".repeat(40)}`;
  const amount = { wallet, token: wallet, amount: String(2n ** 256n - 1n) };
  const row = {
    commitmentId: new Uint8Array(32),
    entityId: new Uint8Array(16),
    price: { numerator: amount.amount, denominator: amount.amount },
    priceMicroUsd: amount.amount,
    amounts: Array.from({ length: 1024 }, () => amount),
    createdAtSeconds: 253_402_300_799n,
    extraData: new Uint8Array(65_536),
    extraDataParsed: { data: `0x${"00".repeat(65_536)}` },
  };
  return create(CommitmentDataSchema, { commitments: Array.from({ length: 100 }, () => row), totalAmount: "1" });
}

describe("commitmentsUpstreamConfig", () => {
  const complete = { COMMITMENTS_URL: "http://c:1", CALLER_NAME: "gateway", CALLER_KEY: generateCallerKey().text };

  it("takes the largest answer that the contract allows, and the smallest cache holds it twice", () => {
    const data = largestData();
    const { maxResponseBytes } = commitmentsUpstreamConfig(new Env(complete));
    const size = toBinary(CommitmentDataSchema, data).length;
    expect(size).toBeGreaterThan(32 * 2 ** 20);
    expect(size).toBeLessThan(maxResponseBytes);
    expect(publicBody(data).bytes().length * 2).toBeLessThan(config({ CACHE_MAX_BYTES: "128MiB" }).cache.maxBytes);
  });

  it("wants an address, a name and a key", () => {
    expect(commitmentsUpstreamConfig(new Env(complete))).toMatchObject({
      url: ["http://c:1/"],
      caller: { name: "gateway", audience: "tidemark.commitments" },
    });
    for (const name of Object.keys(complete)) {
      expect(() => commitmentsUpstreamConfig(new Env({ ...complete, [name]: "" }))).toThrow(
        expect.objectContaining({ variable: name }) as ConfigError,
      );
    }
  });
});
