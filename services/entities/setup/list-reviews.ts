import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { passingRefusals } from "../../../common/platform/rpc/client/upstream-refusal.ts";
import type { Principal } from "../../../common/platform/rpc/identity/principal.ts";
import { pageStart, readPage, tokenOf } from "../../../common/platform/rpc/server/page-token.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Entity } from "../base/entity.ts";
import { entityMessage } from "../entities/entity-message.ts";
import { readDecisions } from "./audit-store.ts";
import { readEntries } from "./review-entries-store.ts";
import { decisionMessage, entryMessage } from "./review-message.ts";
import { requireReviewer } from "./reviewers.ts";
import { REVIEW_KEY_DIGITS, readReviews, reviewKey } from "./reviews-store.ts";

const MAX_DECISIONS = 50;

export function listReviews(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["listReviews"] {
  const { database, clock, identity } = dependencies;
  return async (request, context) => {
    const principal = await requireReviewer(dependencies, context);
    const after = pageStart(request.pageToken, REVIEW_KEY_DIGITS);
    const { entityUuid } = request;
    const { items: entities, nextPageToken } = await readPage(
      request.pageSize,
      (limit) => database.read((query) => readReviews(query, { after, limit, entityUuid })),
      (entity) => tokenOf(reviewKey(entity)),
    );
    const emails = await emailsOf(
      dependencies,
      entities.map(({ accountUuid }) => accountUuid),
    );
    const shown = entityUuid === "" ? undefined : entities.find((entity) => maySeeHistory(entity, principal));
    const history = shown && (await historyOf(dependencies, shown.uuid));
    const reviews = entities.map((entity) => ({
      entity: entityMessage(entity, clock(), identity),
      email: emails.get(entity.accountUuid) ?? "",
      submittedAt: timestampFromMs(Number(entity.submittedAtMs ?? 0n)),
      checkUrl: checkUrlOf(identity.reviewCheckUrl, entity.uuid),
      ...history,
    }));
    return { reviews, nextPageToken };
  };
}

/** Whether somebody may read what reviewers have written about an entity: not about an own one. */
function maySeeHistory({ accountUuid }: Entity, principal: Principal): boolean {
  return principal.kind !== "person" || principal.accountUuid !== accountUuid;
}

/** Returns what was decided and written about an entity so far, with the addresses of who did it. */
async function historyOf(dependencies: EntitiesContext, entityUuid: string) {
  const { database } = dependencies;
  const { decisions, entries } = await database.read(async (query) => ({
    decisions: await readDecisions(query, [entityUuid], MAX_DECISIONS),
    entries: await readEntries(query, entityUuid, ["note", "question", "answer"]),
  }));
  const authors = [...decisions, ...entries].flatMap(({ accountUuid }) => accountUuid ?? []);
  const emails = await emailsOf(dependencies, authors);
  const emailOf = ({ accountUuid = "" }: { readonly accountUuid?: string | undefined }) => emails.get(accountUuid);
  return {
    decisions: decisions.map((decision) => decisionMessage(decision, emailOf(decision))),
    entries: entries.map((entry) => entryMessage(entry, emailOf(entry))),
  };
}

/** Returns the page of the outside check of an entity; empty where none is configured. */
function checkUrlOf(template: string | undefined, entityUuid: string): string {
  return template?.replaceAll("{entity}", entityUuid) ?? "";
}

/** Returns the addresses of accounts by account UUID. An account that is gone has none. */
async function emailsOf(
  { accounts }: Pick<EntitiesContext, "accounts">,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const accountUuids = [...new Set(uuids)];
  if (accountUuids.length === 0) return new Map();
  const answer = await passingRefusals(accounts.getAccounts({ accountUuids }));
  return new Map(answer.accounts.map(({ uuid, email }) => [uuid, email]));
}
