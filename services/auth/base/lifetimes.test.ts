import { expect, it } from "vitest";
import { Env } from "../../../common/platform/config/env.ts";
import { authConfig } from "./config.ts";
import { ID_TOKEN_LIFETIME_S, RECOVERY_REMINDER_MS, RECOVERY_WAIT_MS, RETIRED_KEY_MS } from "./lifetimes.ts";

it("keeps a retired key in the JWKS for longer than any token that it signed", () => {
  const longest = {
    AUTH_URL: "https://auth.example",
    KEY_ENCRYPTION_KEY: "A".repeat(43),
    MAIL_DIR: "unused",
    ACCESS_TOKEN_TTL: "60m",
  };
  const { accessTokenTtlMs } = authConfig(new Env(longest));
  expect(() => authConfig(new Env({ ...longest, ACCESS_TOKEN_TTL: "61m" }))).toThrow("ACCESS_TOKEN_TTL");
  expect(RETIRED_KEY_MS).toBeGreaterThan(BigInt(accessTokenTtlMs));
  expect(RETIRED_KEY_MS).toBeGreaterThan(BigInt(ID_TOKEN_LIFETIME_S) * 1_000n);
});

it("reminds of a recovery before it can be completed", () => {
  expect(RECOVERY_REMINDER_MS).toBeLessThan(RECOVERY_WAIT_MS);
});
