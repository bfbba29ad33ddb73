import type { ServiceImpl } from "@connectrpc/connect";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import type {
  ChooseDemoSetupRequest,
  EntityService,
} from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import { entityMessage, setupStateOf } from "../entities/entity-message.ts";
import { lockOwnEntity } from "../entities/own-entity.ts";
import { approvalEnd, type SetupOutcome } from "./setup-outcome.ts";
import { storeOutcome } from "./store-outcome.ts";

const REASON = "Refused, as chosen in this demo.";

export function chooseDemoSetup(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["chooseDemoSetup"] {
  const { database, clock, identity } = dependencies;
  return async (request, context) => {
    const { accountUuid } = requirePerson(context);
    if (identity.provider !== "demo") {
      throw new ServiceError("failed_precondition", "users can't choose the result of their set-up in this deployment");
    }
    const nowMs = clock();
    const outcome = outcomeOf(request, identity.approvalLifetimeMs, nowMs);
    const entity = await database.write(async (transaction) => {
      const own = await lockOwnEntity(transaction, database.dialect, request.entityUuid, accountUuid);
      return storeOutcome(transaction, own, outcome, { provider: "demo", occurredAtMs: nowMs }, nowMs);
    });
    return { entity: entityMessage(entity, nowMs) };
  };
}

function outcomeOf({ state, country }: ChooseDemoSetupRequest, lifetimeMs: bigint, nowMs: bigint): SetupOutcome {
  const chosen = setupStateOf(state);
  switch (chosen) {
    case "complete":
      if (country !== "") return { kind: "approved", country, expiresAtMs: approvalEnd(undefined, lifetimeMs, nowMs) };
      throw invalidArgument([{ field: "country", rule: "country.required", message: "must be given for complete" }]);
    case "failure":
    case "failure_final":
      return { kind: "refused", reason: REASON, final: chosen === "failure_final" };
    default:
      return { kind: "progress", state: chosen };
  }
}
