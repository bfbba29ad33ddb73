import type { AccountDependencies } from "../accounts/dependencies.ts";

export type PasskeyDependencies = Pick<
  AccountDependencies,
  "database" | "clock" | "logger" | "rateLimits" | "mailer" | "derivedKeys" | "issuer"
>;
