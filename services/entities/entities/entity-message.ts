import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type Entity as EntityMessage,
  EntitySchema,
  EntityType,
  IdentityProvider,
  InvestingRegion,
  SetupState as SetupStateMessage,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  type Entity,
  type EntityTypeName,
  effectiveSetupState,
  type ProviderName,
  type SetupState,
} from "../base/entity.ts";
import type { IdentityConfig } from "../base/identity-config.ts";
import type { Region } from "./eu-members.ts";

const TYPES: Readonly<Record<EntityTypeName, EntityType>> = {
  person: EntityType.PERSON,
  organization: EntityType.ORGANIZATION,
};

const STATES: Readonly<Record<SetupState, SetupStateMessage>> = {
  not_started: SetupStateMessage.NOT_STARTED,
  in_progress: SetupStateMessage.IN_PROGRESS,
  ready_for_review: SetupStateMessage.READY_FOR_REVIEW,
  in_review: SetupStateMessage.IN_REVIEW,
  failure: SetupStateMessage.FAILURE,
  failure_final: SetupStateMessage.FAILURE_FINAL,
  technical_issue: SetupStateMessage.TECHNICAL_ISSUE,
  complete: SetupStateMessage.COMPLETE,
};

const PROVIDERS: Readonly<Record<ProviderName, IdentityProvider>> = {
  review: IdentityProvider.REVIEW,
  webhook: IdentityProvider.WEBHOOK,
  demo: IdentityProvider.DEMO,
};

const REGIONS: Readonly<Record<Region, InvestingRegion>> = {
  unknown: InvestingRegion.UNKNOWN,
  other: InvestingRegion.OTHER,
  us: InvestingRegion.US,
  eu: InvestingRegion.EU,
};

/** Returns the message of a set-up's state. */
export function stateMessage(state: SetupState): SetupStateMessage {
  return STATES[state];
}

const SETUP_STATES = new Map(Object.entries(STATES).map(([name, message]) => [message, name as SetupState]));

/**
 * Converts an entity for its person, a reviewer or an operator.
 *
 * @param identity of the deployment: where reviewers no longer check, nobody can answer what one of them has asked
 */
export function entityMessage(
  entity: Entity,
  nowMs: bigint,
  identity: Pick<IdentityConfig, "provider">,
): EntityMessage {
  const state = effectiveSetupState(entity, nowMs);
  const { provider, approvalExpiresAtMs } = state === "complete" ? entity : {};
  return create(EntitySchema, {
    uuid: entity.uuid,
    type: typeMessage(entity.type),
    label: entity.label,
    country: entity.country,
    setupState: setupStateMessage(state),
    setupReason: entity.setupReason,
    openQuestion: (identity.provider === "review" && entity.openQuestion) || "",
    ...(provider !== undefined && { approvedBy: providerMessage(provider) }),
    ...(approvalExpiresAtMs !== undefined && { approvalExpiresAt: timestampFromMs(Number(approvalExpiresAtMs)) }),
    createdAt: timestampFromMs(Number(entity.createdAtMs)),
    version: entity.version,
  });
}

export function typeMessage(type: EntityTypeName): EntityType {
  return TYPES[type];
}

/** The type of a request, whose rules exclude any other value. */
export function typeOf(type: EntityType): EntityTypeName {
  return type === EntityType.ORGANIZATION ? "organization" : "person";
}

export function setupStateMessage(state: SetupState): SetupStateMessage {
  return STATES[state];
}

/** @throws RangeError for a value that the request's rules exclude */
export function setupStateOf(message: SetupStateMessage): SetupState {
  const state = SETUP_STATES.get(message);
  if (state === undefined) throw new RangeError(`${message} is no state of a set-up`);
  return state;
}

export function providerMessage(provider: ProviderName): IdentityProvider {
  return PROVIDERS[provider];
}

export function regionMessage(region: Region): InvestingRegion {
  return REGIONS[region];
}
