import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import { type Entity, effectiveSetupState, type SetupState } from "../base/entity.ts";
import type { BegunSetup } from "../base/identity-provider.ts";
import { updateEntityRow } from "../entities/entities-store.ts";
import { entityMessage } from "../entities/entity-message.ts";
import { lockOwnEntity } from "../entities/own-entity.ts";
import { storeHandle } from "./handles-store.ts";
import { storeAnswer } from "./open-question.ts";
import { reportedStateOf } from "./setup-outcome.ts";

export function beginSetup({
  database,
  clock,
  identity,
  identityProvider,
}: EntitiesContext): ServiceImpl<typeof EntityService>["beginSetup"] {
  return async ({ entityUuid, country, answer }, context) => {
    const person = requirePerson(context);
    const { accountUuid } = person;
    const by = { ...person, kind: "person" } as const;
    const nowMs = clock();
    return database.write(async (transaction) => {
      const entity = await lockOwnEntity(transaction, database.dialect, entityUuid, accountUuid);
      checkMayBegin(entity, nowMs);
      const beginning = identityProvider.begin(entity, country, nowMs);
      if (beginning.handle !== undefined) {
        await storeHandle(transaction, beginning.handle, { entityUuid: entity.uuid }, nowMs);
      }
      if (beginning.submitted === true) await storeAnswer(transaction, entity, { answer, by }, nowMs);
      const after = afterBegin(entity, beginning, nowMs);
      await updateEntityRow(transaction, after);
      return { entity: entityMessage(after, nowMs, identity), startUrl: beginning.startUrl ?? "" };
    });
  };
}

/** The states in which a user may begin: for the first time, again, or for another start URL. */
const MAY_BEGIN: ReadonlySet<SetupState> = new Set(["not_started", "in_progress", "failure", "technical_issue"]);

/** @throws ServiceError `failed_precondition` unless a user may begin the set-up now */
function checkMayBegin(entity: Entity, nowMs: bigint): void {
  const state = effectiveSetupState(entity, nowMs);
  if (MAY_BEGIN.has(state)) return;
  throw new ServiceError("failed_precondition", `the set-up can't begin: it is ${state.replaceAll("_", " ")}`);
}

/** Returns the entity after the user has begun. What the provider has reported last stays: only its reports are ordered. */
function afterBegin(entity: Entity, { state, country, submitted }: BegunSetup, nowMs: bigint): Entity {
  return {
    ...entity,
    setupState: state,
    reportedState: reportedStateOf(entity),
    setupReason: "",
    openQuestion: undefined,
    country: country ?? entity.country,
    provider: undefined,
    submittedAtMs: submitted === true ? nowMs : undefined,
    approvalExpiresAtMs: undefined,
    version: entity.version + 1n,
  };
}
