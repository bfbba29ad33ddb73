import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import { requireCountryCode } from "../../../common/platform/names/country.ts";
import { passingRefusals } from "../../../common/platform/rpc/client/upstream-refusal.ts";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import { nextPageToken, pageSize, pageStart } from "../../../common/platform/rpc/server/page-token.ts";
import { SETUP_REASONS } from "../../../common/sale/words/setup-reasons.ts";
import type {
  ChooseDemoSetupRequest,
  EntityService,
} from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Entity } from "../base/entity.ts";
import { entityMessage, providerMessage, setupStateOf } from "../entities/entity-message.ts";
import { lockOwnEntity } from "../entities/own-entity.ts";
import { beginSetup } from "./begin-setup.ts";
import { decideReview } from "./decide-review.ts";
import { confirmLiveness } from "./liveness.ts";
import { reportSetup } from "./report-setup.ts";
import { isReviewer, requireReviewer } from "./reviewers.ts";
import { REVIEW_KEY_DIGITS, readReviews, reviewKey } from "./reviews-store.ts";
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
  | "confirmLiveness"
  | "getSetupPolicy"
> {
  return {
    beginSetup: beginSetup(dependencies),
    reportSetup: reportSetup(dependencies),
    chooseDemoSetup: chooseDemoSetup(dependencies),
    listReviews: listReviews(dependencies),
    decideReview: decideReview(dependencies),
    confirmLiveness: confirmLiveness(dependencies),

    async getSetupPolicy(_request, context) {
      const provider = providerMessage(dependencies.identity.provider);
      return { provider, isReviewer: await isReviewer(dependencies, principalOf(context)) };
    },
  };
}

function listReviews(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["listReviews"] {
  const { database, clock } = dependencies;
  return async (request, context) => {
    await requireReviewer(dependencies, context);
    const limit = pageSize(request.pageSize);
    const after = pageStart(request.pageToken, REVIEW_KEY_DIGITS);
    const { entityUuid } = request;
    const entities = await database.read((query) => readReviews(query, { after, limit, entityUuid }));
    const emails = await emailsOf(dependencies, entities);
    const reviews = entities.map((entity) => ({
      entity: entityMessage(entity, clock()),
      email: emails.get(entity.accountUuid) ?? "",
      submittedAt: timestampFromMs(Number(entity.submittedAtMs ?? 0n)),
    }));
    return { reviews, nextPageToken: nextPageToken(entities, limit, reviewKey) };
  };
}

/** Returns the addresses of the entities' accounts by account UUID. An account that is gone has none. */
async function emailsOf(
  { accounts }: Pick<EntitiesContext, "accounts">,
  entities: readonly Entity[],
): Promise<ReadonlyMap<string, string>> {
  const accountUuids = [...new Set(entities.map(({ accountUuid }) => accountUuid))];
  if (accountUuids.length === 0) return new Map();
  const answer = await passingRefusals(accounts.getAccounts({ accountUuids }));
  return new Map(answer.accounts.map(({ uuid, email }) => [uuid, email]));
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
    return { entity: entityMessage(entity, nowMs) };
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
