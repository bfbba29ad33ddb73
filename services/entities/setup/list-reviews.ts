import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { nextPageToken, pageSize, pageStart } from "../../../common/platform/rpc/server/page-token.ts";
import { passingRefusals } from "../../../common/platform/rpc/upstream-refusal.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Entity } from "../base/entity.ts";
import { entityMessage } from "../entities/entity-message.ts";
import { requireReviewer } from "./reviewers.ts";
import { REVIEW_KEY_DIGITS, readReviews, reviewKey } from "./reviews-store.ts";

export function listReviews(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["listReviews"] {
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
