import { type Duration, durationFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import { requireCountryCode } from "../../../common/platform/names/country.ts";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import { SETUP_REASONS } from "../../../common/sale/words/setup-reasons.ts";
import type {
  ChooseDemoSetupRequest,
  EntityService,
} from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import { entityMessage, providerMessage, setupStateOf } from "../entities/entity-message.ts";
import { lockOwnEntity } from "../entities/own-entity.ts";
import { addReviewNote } from "./add-review-note.ts";
import { readUsualWaitMs } from "./audit-store.ts";
import { beginSetup } from "./begin-setup.ts";
import { decideReview } from "./decide-review.ts";
import { listReviews } from "./list-reviews.ts";
import { confirmLiveness } from "./liveness.ts";
import { reportSetup } from "./report-setup.ts";
import { isReviewer } from "./reviewers.ts";
import { approvalEnd, type SetupOutcome } from "./setup-outcome.ts";
import { storeOutcome } from "./store-outcome.ts";

/** The methods of `EntityService` for the set-up of entities. */
export function setupMethods(
  dependencies: EntitiesContext,
): Pick<
  ServiceImpl<typeof EntityService>,
  | "beginSetup"
  | "reportSetup"
  | "chooseDemoSetup"
  | "listReviews"
  | "decideReview"
  | "addReviewNote"
  | "confirmLiveness"
  | "getSetupPolicy"
> {
  return {
    beginSetup: beginSetup(dependencies),
    reportSetup: reportSetup(dependencies),
    chooseDemoSetup: chooseDemoSetup(dependencies),
    listReviews: listReviews(dependencies),
    decideReview: decideReview(dependencies),
    addReviewNote: addReviewNote(dependencies),
    confirmLiveness: confirmLiveness(dependencies),

    async getSetupPolicy(_request, context) {
      const provider = providerMessage(dependencies.identity.provider);
      const reviewer = await isReviewer(dependencies, principalOf(context));
      const usualWait = await usualWaitOf(dependencies);
      return { provider, isReviewer: reviewer, ...(usualWait && { usualWait }) };
    },
  };
}

/** Returns how long reviewers usually take; undefined where others decide, and without enough decisions. */
async function usualWaitOf({ database, identity }: EntitiesContext): Promise<Duration | undefined> {
  const waitMs = identity.provider === "review" ? await database.read(readUsualWaitMs) : undefined;
  return waitMs === undefined ? undefined : durationFromMs(waitMs);
}

function chooseDemoSetup(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["chooseDemoSetup"] {
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
    return { entity: entityMessage(entity, nowMs, identity) };
  };
}

function outcomeOf({ state, country }: ChooseDemoSetupRequest, lifetimeMs: bigint, nowMs: bigint): SetupOutcome {
  const chosen = setupStateOf(state);
  switch (chosen) {
    case "complete":
      if (country === "") {
        throw invalidArgument([{ field: "country", rule: "country.required", message: "must be given for complete" }]);
      }
      requireCountryCode("country", country);
      return { kind: "approved", country, expiresAtMs: approvalEnd(undefined, lifetimeMs, nowMs) };
    case "failure":
    case "failure_final":
      return { kind: "refused", reason: SETUP_REASONS.demo, final: chosen === "failure_final" };
    default:
      return { kind: "progress", state: chosen };
  }
}
