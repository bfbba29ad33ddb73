import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { type Entity, effectiveSetupState, type SetupState } from "../base/entity.ts";
import type { BegunSetup } from "../base/identity-provider.ts";

/** The states in which a user may begin: for the first time, again, or for another start URL. */
const MAY_BEGIN: ReadonlySet<SetupState> = new Set(["not_started", "in_progress", "failure", "technical_issue"]);

/** @throws ServiceError `failed_precondition` unless a user may begin the set-up now */
export function checkMayBegin(entity: Entity, nowMs: bigint): void {
  const state = effectiveSetupState(entity, nowMs);
  if (MAY_BEGIN.has(state)) return;
  throw new ServiceError("failed_precondition", `the set-up can't begin: it is ${state.replaceAll("_", " ")}`);
}

/** Returns the entity after the user has begun. The time of the provider's last word stays: only its own words are ordered. */
export function afterBegin(entity: Entity, { state, country, submitted }: BegunSetup, nowMs: bigint): Entity {
  return {
    ...entity,
    setupState: state,
    setupReason: "",
    country: country ?? entity.country,
    provider: undefined,
    submittedAtMs: submitted === true ? nowMs : undefined,
    approvalExpiresAtMs: undefined,
    version: entity.version + 1n,
  };
}
