import type { Entity } from "../base/entity.ts";
import type { SetupOutcome } from "../setup/setup-outcome.ts";

/** A mail to the person of an entity, which auth sends. */
export type Notice =
  | {
      readonly kind: "setup_decided";
      readonly label: string;
      readonly approved: boolean;
      readonly reason: string;
      readonly final: boolean;
    }
  | {
      readonly kind: "approval_expiry";
      readonly label: string;
      /** Milliseconds since 1970. */
      readonly expiresAtMs: number;
      readonly expired: boolean;
    };

/** Returns the mail about an outcome. Only decisions are mailed. */
export function noticeOf({ label }: Pick<Entity, "label">, outcome: SetupOutcome): Notice | undefined {
  if (outcome.kind === "progress") return undefined;
  const refusal = outcome.kind === "refused" ? outcome : { reason: "", final: false };
  return {
    kind: "setup_decided",
    label,
    approved: outcome.kind === "approved",
    reason: refusal.reason,
    final: refusal.final,
  };
}
