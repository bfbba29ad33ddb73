import { withoutHiddenCharacters } from "../../../common/platform/names/hidden-characters.ts";
import type { Entity, ProviderName, SetupState } from "../base/entity.ts";

/** A result of a set-up, whichever provider it comes from. */
export type SetupOutcome =
  | {
      readonly kind: "progress";
      readonly state: Extract<
        SetupState,
        "not_started" | "in_progress" | "ready_for_review" | "in_review" | "technical_issue"
      >;
    }
  | {
      readonly kind: "approved";
      /** ISO 3166-1 alpha-2. */
      readonly country: string;
      /** Undefined if the approval doesn't end. */
      readonly expiresAtMs: bigint | undefined;
    }
  | { readonly kind: "refused"; readonly reason: string; readonly final: boolean };

/** The origin of an outcome, and the time since which it holds, in milliseconds since 1970. */
export interface OutcomeSource {
  readonly provider: ProviderName;
  readonly occurredAtMs: bigint;
}

/** Whether an outcome is newer than what is stored. One of the same time is a repetition. */
export function isNewer(entity: Pick<Entity, "setupAtMs">, { occurredAtMs }: OutcomeSource): boolean {
  return occurredAtMs > entity.setupAtMs;
}

/** Returns the entity after an outcome. */
export function applyOutcome(entity: Entity, outcome: SetupOutcome, { provider, occurredAtMs }: OutcomeSource): Entity {
  const changed: Entity = {
    ...entity,
    setupReason: "",
    setupAtMs: occurredAtMs,
    provider: undefined,
    submittedAtMs: undefined,
    approvalExpiresAtMs: undefined,
    version: entity.version + 1n,
  };
  switch (outcome.kind) {
    case "progress":
      return { ...changed, setupState: outcome.state };
    case "approved": {
      const { country, expiresAtMs } = outcome;
      return { ...changed, setupState: "complete", country, provider, approvalExpiresAtMs: expiresAtMs };
    }
    case "refused":
      return { ...changed, setupState: outcome.final ? "failure_final" : "failure", setupReason: outcome.reason };
  }
}

/**
 * Returns when an approval ends: at the time that the decision names, and at the latest after the deployment's lifetime of
 * approvals; undefined if neither sets an end.
 *
 * @param lifetimeMs 0 for none
 */
export function approvalEnd(named: bigint | undefined, lifetimeMs: bigint, nowMs: bigint): bigint | undefined {
  if (lifetimeMs === 0n) return named;
  const latest = nowMs + lifetimeMs;
  return named === undefined || named > latest ? latest : named;
}

const MAX_CHARACTERS = 500;

/** Returns the reason of a refusal as one line of visible text, at most 500 characters. Empty if nothing is visible. */
export function cleanReason(text: string): string {
  const line = withoutHiddenCharacters(text, " ").replaceAll(/\s+/g, " ").trim();
  return [...line].slice(0, MAX_CHARACTERS).join("");
}
