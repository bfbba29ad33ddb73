import { MinuteLimit, type MinuteLimitOptions } from "../../web/http/minute-limit.ts";

/** Checks of contracts that an account may make in a minute. */
const MAX_CHECKS = 20;

/** Limits how often an account checks contracts, since each check costs calls of the operator's nodes. */
export class CheckLimit extends MinuteLimit {
  constructor(options: Omit<MinuteLimitOptions, "max"> = {}) {
    super({ max: MAX_CHECKS, ...options });
  }
}
