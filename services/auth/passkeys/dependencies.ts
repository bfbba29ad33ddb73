import type { AccountDependencies } from "../accounts/dependencies.ts";
import type { RecoveryDependencies } from "../recovery/dependencies.ts";

export type PasskeyDependencies = Pick<
  AccountDependencies,
  "database" | "clock" | "logger" | "rateLimits" | "mailer" | "derivedKeys" | "issuer"
> &
  Pick<RecoveryDependencies, "salesRequiringPasskeys">;
