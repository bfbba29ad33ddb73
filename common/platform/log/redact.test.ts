import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";

describe("redact", () => {
  it.each([
    "authorization",
    "Proxy-Authorization",
    "cookie",
    "set-cookie",
    "token",
    "access_token",
    "refreshTokens",
    "code",
    "auth_code",
    "signInCode",
    "password",
    "client_secret",
    "email",
    "E-Mail",
    "userEmail",
    "code_verifier",
    "api-key",
    "CALLER_KEY",
    "private_key",
  ])("hides the value under %s, at any depth", (key) => {
    expect(redact({ [key]: "s3cret" })).toEqual({ [key]: "[redacted]" });
    expect(redact({ list: [{ [key]: { inner: "s3cret" } }] })).toEqual({ list: [{ [key]: "[redacted]" }] });
  });

  it.each(["status_code", "exit_code", "rpc_code", "sale_uuid", "error_id", "key", "tokenizer"])("keeps %s", (key) => {
    expect(redact({ [key]: "plain" })).toEqual({ [key]: "plain" });
  });

  it("makes errors plain: code and causes stay, other fields go", () => {
    const cause = new AggregateError([new TypeError("inner")], "several");
    const error = Object.assign(new Error("outer", { cause }), { code: "ECONNRESET", request: { token: "s3cret" } });
    expect(redact({ err: error })).toEqual({
      err: {
        type: "Error",
        message: "outer",
        code: "ECONNRESET",
        stack: expect.stringContaining("outer"),
        cause: {
          type: "AggregateError",
          message: "several",
          stack: expect.any(String),
          errors: [{ type: "TypeError", message: "inner", stack: expect.any(String) }],
        },
      },
    });
  });

  it("writes values that JSON lacks as text, and of class instances only the name", () => {
    const values = {
      big: 2n ** 64n,
      date: new Date(0),
      invalid: new Date(Number.NaN),
      map: new Map(),
      none: null,
      f: () => 1,
    };
    expect(redact(values)).toEqual({
      big: "18446744073709551616",
      date: "1970-01-01T00:00:00.000Z",
      invalid: null,
      map: "[Map]",
      none: null,
      f: undefined,
    });
  });

  it("ends on cycles and bounds entries and text", () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, index]));
    expect(JSON.stringify(redact({ cycle }))).toContain("[too deep]");
    expect(Object.keys(redact(wide))).toHaveLength(100);
    expect(redact({ list: Array.from({ length: 1_000 }) })["list"]).toHaveLength(100);
    expect(redact({ text: "x".repeat(100_000) })["text"]).toHaveLength(16_384);
  });
});
