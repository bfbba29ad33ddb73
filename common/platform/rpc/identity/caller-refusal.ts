import { toServiceError } from "../errors.ts";
import { CALLER_METHOD_RULE, CALLER_TOKEN_RULE, TOKEN_TIME_RULE } from "./bearer-token.ts";

/** The reasons why a called process refuses this process itself, not a person. Nothing of the call was executed. */
const REASONS = {
  [CALLER_TOKEN_RULE]: "token",
  [TOKEN_TIME_RULE]: "token_time",
  [CALLER_METHOD_RULE]: "method",
} as const;

export type CallerRefusal = (typeof REASONS)[keyof typeof REASONS];

export const CALLER_REFUSALS: readonly CallerRefusal[] = Object.values(REASONS);

/** Returns why the called process refused this process itself; undefined for any other error. */
export function callerRefusal(error: unknown): CallerRefusal | undefined {
  const rules: ReadonlySet<string> = new Set(toServiceError(error)?.violations.map(({ rule }) => rule));
  return Object.entries(REASONS).find(([rule]) => rules.has(rule))?.[1];
}

/** Whether the called process refused this process's token: another token, or another process, may do. */
export function isTokenRefused(error: unknown): boolean {
  const refusal = callerRefusal(error);
  return refusal === "token" || refusal === "token_time";
}
