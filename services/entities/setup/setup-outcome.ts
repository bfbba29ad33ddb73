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
      /** Why the check has ended without a decision; undefined if it goes on, or the provider doesn't say. */
      readonly reason?: string;
      /** Whether the reason is a reviewer's question, which the user answers. */
      readonly isQuestion?: true;
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
  /** See `Entity.reportedCheck`. */
  readonly check?: string | undefined;
  /** Whether the vendor reports about the entity itself, and not about a check that its user began. */
  readonly isOfEntity?: boolean;
}

/** Order of states that came about at the same time, of which the later one here holds: a refusal rather than an approval. */
const STATE_ORDER: readonly SetupState[] = [
  "not_started",
  "in_progress",
  "ready_for_review",
  "in_review",
  "technical_issue",
  "complete",
  "failure",
  "failure_final",
];

/** The fields of an entity that say what its provider has reported. */
type ReportedSetup = Pick<
  Entity,
  "setupAtMs" | "setupState" | "reportedState" | "reportedCheck" | "setupReason" | "country" | "approvalExpiresAtMs"
>;

/**
 * Whether an outcome replaces what is stored: the later one does, or at the same time the later one in `STATE_ORDER`. Of two of
 * the same time and state it is the approval that ends earlier, and otherwise the greater text, so that their order of arrival
 * never matters. A final refusal, whichever is later, holds against all that another check reports: otherwise whoever is refused
 * begins another one at the same address. Only the time decides between it and what isn't final about the entity itself.
 */
export function supersedes(entity: ReportedSetup, outcome: SetupOutcome, source: OutcomeSource): boolean {
  const { reportedState = entity.setupState } = entity;
  const isFinal = stateOf(outcome) === "failure_final";
  if (isOfAnotherCheck(entity, checkOf(outcome, source)) && isFinal !== (reportedState === "failure_final"))
    return isFinal;
  const { occurredAtMs } = source;
  if (occurredAtMs !== entity.setupAtMs) return occurredAtMs > entity.setupAtMs;
  const later = STATE_ORDER.indexOf(stateOf(outcome)) - STATE_ORDER.indexOf(reportedState);
  // The same state again is a repetition for a user who has begun anew since.
  if (later !== 0 || entity.reportedState !== undefined) return later > 0;
  return hasPrecedence(entity, outcome);
}

function isOfAnotherCheck({ reportedCheck }: ReportedSetup, check: string | undefined): boolean {
  return check !== undefined && reportedCheck !== undefined && check !== reportedCheck;
}

/**
 * Returns the check that an outcome counts for. What isn't final about the entity itself counts for none, so that an older refusal
 * of a check doesn't undo it by arriving later.
 */
function checkOf(outcome: SetupOutcome, { check, isOfEntity = false }: OutcomeSource): string | undefined {
  return isOfEntity && stateOf(outcome) !== "failure_final" ? undefined : check;
}

/** Whether an outcome holds rather than the stored one of the same state and time. */
function hasPrecedence(entity: ReportedSetup, outcome: SetupOutcome): boolean {
  switch (outcome.kind) {
    case "progress":
      return (outcome.reason ?? "") > entity.setupReason;
    case "refused":
      return outcome.reason > entity.setupReason;
    case "approved": {
      const [ends, storedEnds] = [outcome.expiresAtMs, entity.approvalExpiresAtMs];
      if (ends === storedEnds) return outcome.country > entity.country;
      return storedEnds === undefined || (ends !== undefined && ends < storedEnds);
    }
  }
}

/** The state that a report names, and its time by the vendor's clock. */
export interface ReportedState {
  readonly state: SetupState;
  readonly occurredAtMs: bigint;
}

/**
 * Returns since when a report holds that names a time: since now, if that lies in the future. Otherwise a vendor whose clock is ahead
 * hides what it reports next, from another clock. A refusal holds since the time that it names, so that no approval of an earlier time
 * by the same clock beats it by arriving later.
 */
export function reportTime({ state, occurredAtMs }: ReportedState, nowMs: bigint): bigint {
  const isRefusal = state === "failure" || state === "failure_final";
  return isRefusal || occurredAtMs < nowMs ? occurredAtMs : nowMs;
}

/** Returns the state that the provider has reported last, for an entity whose state changes without a report. */
export function reportedStateOf({ setupAtMs, setupState, reportedState }: ReportedSetup): SetupState | undefined {
  return reportedState ?? (setupAtMs === 0n ? undefined : setupState);
}

/** Returns the state of an entity after an outcome. */
export function stateOf(outcome: SetupOutcome): SetupState {
  switch (outcome.kind) {
    case "progress":
      return outcome.state;
    case "approved":
      return "complete";
    case "refused":
      return outcome.final ? "failure_final" : "failure";
  }
}

/** Returns the entity after an outcome. */
export function applyOutcome(entity: Entity, outcome: SetupOutcome, source: OutcomeSource): Entity {
  const { provider, occurredAtMs } = source;
  const changed: Entity = {
    ...entity,
    setupState: stateOf(outcome),
    setupReason: "",
    openQuestion: undefined,
    setupAtMs: occurredAtMs,
    reportedState: undefined,
    reportedCheck: checkOf(outcome, source),
    provider: undefined,
    submittedAtMs: undefined,
    approvalExpiresAtMs: undefined,
    // A vendor's user declares no country: it is known by an approval, and as long as that holds.
    country: provider === "webhook" ? "" : entity.country,
    version: entity.version + 1n,
  };
  switch (outcome.kind) {
    case "progress":
      return outcome.isQuestion
        ? { ...changed, openQuestion: outcome.reason }
        : { ...changed, setupReason: outcome.reason ?? "" };
    case "approved": {
      const { country, expiresAtMs } = outcome;
      return { ...changed, country, provider, approvalExpiresAtMs: expiresAtMs };
    }
    case "refused":
      return { ...changed, setupReason: outcome.reason };
  }
}

/**
 * Returns when an approval ends: at the time that the decision names, and at the latest after the deployment's lifetime of
 * approvals; undefined if neither sets an end.
 *
 * @param lifetimeMs 0 for none
 * @param decidedAtMs since when the approval holds
 */
export function approvalEnd(named: bigint | undefined, lifetimeMs: bigint, decidedAtMs: bigint): bigint | undefined {
  if (lifetimeMs === 0n) return named;
  const latest = decidedAtMs + lifetimeMs;
  return named === undefined || named > latest ? latest : named;
}

const MAX_CHARACTERS = 500;

/** Returns the reason of a refusal as one line of visible text, at most 500 characters. Empty if nothing is visible. */
export function cleanReason(text: string): string {
  const line = withoutHiddenCharacters(text, " ").replaceAll(/\s+/g, " ").trim();
  return [...line].slice(0, MAX_CHARACTERS).join("");
}
