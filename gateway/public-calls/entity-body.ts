import { hexOfBytes } from "../../common/platform/encoding/hex.ts";
import {
  EntityType,
  InvestingRegion,
  SaleEligibility,
  type SaleEntity,
  SetupState,
} from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { JsonObject } from "../web/http/json-body.ts";
import { nameOf } from "./public-names.ts";

export const ENTITY_TYPES: ReadonlyMap<EntityType, string> = new Map([
  [EntityType.PERSON, "user"],
  [EntityType.ORGANIZATION, "organization"],
]);

export const SETUP_STATES: ReadonlyMap<SetupState, string> = new Map([
  [SetupState.NOT_STARTED, "not-started"],
  [SetupState.IN_PROGRESS, "in-progress"],
  [SetupState.READY_FOR_REVIEW, "ready-for-review"],
  [SetupState.IN_REVIEW, "in-review"],
  [SetupState.FAILURE, "failure"],
  [SetupState.FAILURE_FINAL, "failure-final"],
  [SetupState.TECHNICAL_ISSUE, "technical-issue"],
  [SetupState.COMPLETE, "complete"],
]);

export const ELIGIBILITIES: ReadonlyMap<SaleEligibility, string> = new Map([
  [SaleEligibility.ELIGIBLE, "eligible"],
  [SaleEligibility.NOT_ELIGIBLE, "not-eligible"],
  [SaleEligibility.UNKNOWN_SETUP_INCOMPLETE, "unknown-setup-incomplete"],
]);

export const REGIONS: ReadonlyMap<InvestingRegion, string> = new Map([
  [InvestingRegion.UNKNOWN, "unknown"],
  [InvestingRegion.OTHER, "other"],
  [InvestingRegion.US, "us"],
  [InvestingRegion.EU, "eu"],
]);

/** Returns `EntityDetails`: an entity as the applications of one sale see it. */
export function entityBody(entity: SaleEntity): JsonObject {
  const { label, entityUuid, saleSpecificEntityId, type, setupState, eligibility, region } = entity;
  return {
    Label: label,
    EntityID: entityUuid,
    SaleSpecificEntityID: `0x${hexOfBytes(saleSpecificEntityId)}`,
    EntityType: nameOf(ENTITY_TYPES, type, "type"),
    EntitySetupState: nameOf(SETUP_STATES, setupState, "setup_state"),
    SaleEligibility: nameOf(ELIGIBILITIES, eligibility, "eligibility"),
    InvestingRegion: nameOf(REGIONS, region, "region"),
  };
}
