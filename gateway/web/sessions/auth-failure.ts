import { type Code, ConnectError } from "@connectrpc/connect";
import type { ServiceErrorCode } from "../../../common/platform/errors/service-error.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";

/** A failed call of the auth service, by the kinds that callers distinguish. */
export type AuthFailure =
  /** A rate limit is exceeded. */
  | { readonly kind: "limited"; readonly retryAfterSeconds: number }
  /** The service is down or too slow. */
  | { readonly kind: "unavailable"; readonly retryAfterSeconds: number }
  /** The request is wrong. */
  | { readonly kind: "refused" }
  /** A defect of Tidemark. */
  | { readonly kind: "internal" };

const DEFAULT_LIMITED_SECONDS = 60;
const UNAVAILABLE_SECONDS = 1;

const TRANSIENT: ReadonlySet<ServiceErrorCode> = new Set(["unavailable", "deadline_exceeded", "aborted"]);
/** The gateway itself may not call: a user's missing session is handled where a page needs one. */
const GATEWAY_DEFECTS: ReadonlySet<ServiceErrorCode> = new Set(["unauthenticated", "permission_denied"]);

export function authFailure(error: unknown): AuthFailure {
  const serviceError = toServiceError(error);
  if (serviceError === undefined) return { kind: "internal" };
  const { code, retryAfterSeconds = DEFAULT_LIMITED_SECONDS } = serviceError;
  if (code === "resource_exhausted") return { kind: "limited", retryAfterSeconds };
  if (TRANSIENT.has(code)) return { kind: "unavailable", retryAfterSeconds: UNAVAILABLE_SECONDS };
  return GATEWAY_DEFECTS.has(code) ? { kind: "internal" } : { kind: "refused" };
}

/** Whether a call was refused with one of the codes. */
export function isRefused(error: unknown, ...codes: readonly Code[]): boolean {
  return error instanceof ConnectError && codes.includes(error.code);
}

/** Whether a call was refused by a rule that auth names. */
export function isRefusedByRule(error: unknown, name: string): boolean {
  return toServiceError(error)?.violations.some(({ rule }) => rule === name) ?? false;
}
