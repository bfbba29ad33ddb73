import { type Code, ConnectError } from "@connectrpc/connect";
import type { ServiceErrorCode } from "../../../services/shared/errors/service-error.ts";
import { toServiceError } from "../../../services/shared/rpc/errors.ts";

/** Why a call of the auth service failed, as far as it matters to who asked. */
export type AuthFailure =
  /** Too much was asked for. */
  | { readonly kind: "limited"; readonly retryAfterSeconds: number }
  /** Away, or too slow. */
  | { readonly kind: "unavailable"; readonly retryAfterSeconds: number }
  /** Refused for what was sent. */
  | { readonly kind: "refused" }
  /** A fault of ours. */
  | { readonly kind: "internal" };

const DEFAULT_LIMITED_SECONDS = 60;
const UNAVAILABLE_SECONDS = 1;

const PASSING: ReadonlySet<ServiceErrorCode> = new Set(["unavailable", "deadline_exceeded", "aborted"]);
/** That the gateway may not call, as a missing session is dealt with where it can be met. */
const OURS: ReadonlySet<ServiceErrorCode> = new Set(["unauthenticated", "permission_denied"]);

export function authFailure(error: unknown): AuthFailure {
  const serviceError = toServiceError(error);
  if (serviceError === undefined) return { kind: "internal" };
  const { code, retryAfterSeconds = DEFAULT_LIMITED_SECONDS } = serviceError;
  if (code === "resource_exhausted") return { kind: "limited", retryAfterSeconds };
  if (PASSING.has(code)) return { kind: "unavailable", retryAfterSeconds: UNAVAILABLE_SECONDS };
  return OURS.has(code) ? { kind: "internal" } : { kind: "refused" };
}

/** Whether a call was refused with a code. */
export function isRefused(error: unknown, ...codes: readonly Code[]): boolean {
  return error instanceof ConnectError && codes.includes(error.code);
}
