import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { captureLog } from "../testing/log-capture.ts";
import { JwksError } from "./jwks-error.ts";
import { jwksFailures } from "./jwks-failures.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

function given() {
  const { logger, lines } = captureLog();
  const registry = new Registry();
  return { lines, registry, onFailure: jwksFailures({ kind: "caller", logger, registry }) };
}

describe("jwksFailures", () => {
  it("logs each cause once a minute", () => {
    const { lines, onFailure } = given();
    for (const _ of Array(5)) {
      onFailure(new JwksError("refused", "https://issuer.example/jwks answers 406"));
      onFailure(new JwksError("unreachable", "the JWKS can't be reached: ECONNREFUSED"));
    }
    expect(lines).toMatchObject([
      {
        level: "error",
        msg: "keys that verify tokens can't be loaded",
        kind: "caller",
        reason: "refused",
        err: { message: "https://issuer.example/jwks answers 406" },
      },
      { kind: "caller", reason: "unreachable", err: { message: "the JWKS can't be reached: ECONNREFUSED" } },
    ]);
    vi.advanceTimersByTime(60_000);
    onFailure(new JwksError("refused", "https://issuer.example/jwks answers 406"));
    expect(lines).toHaveLength(3);
  });

  it("counts every failure by its reason, from zero, in a registry that several share", async () => {
    const { registry, onFailure } = given();
    jwksFailures({ kind: "actor", logger: captureLog().logger, registry });
    for (const _ of Array(2)) onFailure(new JwksError("malformed", "the JWKS is no JSON"));
    const counted = (await registry.metrics()).split("\n").filter((line) => line.startsWith("tidemark_jwks"));
    expect(counted.toSorted()).toEqual([
      'tidemark_jwks_failures_total{kind="actor",reason="malformed"} 0',
      'tidemark_jwks_failures_total{kind="actor",reason="refused"} 0',
      'tidemark_jwks_failures_total{kind="actor",reason="unreachable"} 0',
      'tidemark_jwks_failures_total{kind="caller",reason="malformed"} 2',
      'tidemark_jwks_failures_total{kind="caller",reason="refused"} 0',
      'tidemark_jwks_failures_total{kind="caller",reason="unreachable"} 0',
    ]);
  });
});
