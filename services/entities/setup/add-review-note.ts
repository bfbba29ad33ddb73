import type { ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import { withoutHiddenCharacters } from "../../../common/platform/names/hidden-characters.ts";
import type { Principal } from "../../../common/platform/rpc/identity/principal.ts";
import { checkRecentSignIn } from "../../../common/platform/rpc/identity/recent-sign-in.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { lockEntity } from "../entities/entities-store.ts";
import { entityNotFound } from "../entities/own-entity.ts";
import { readEntries, storeEntry } from "./review-entries-store.ts";
import { requireReviewer } from "./reviewers.ts";

export function addReviewNote(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["addReviewNote"] {
  const { database, clock } = dependencies;
  return async ({ entityUuid, text }, context) => {
    const by = await requireReviewer(dependencies, context);
    if (by.kind === "person") checkRecentSignIn(by, clock());
    const content = withoutHiddenCharacters(text, " ").trim();
    if (content === "") {
      throw invalidArgument([{ field: "text", rule: "text.empty", message: "must have a visible character" }]);
    }
    await database.write(async (transaction) => {
      const entity = await lockEntity(transaction, database.dialect, entityUuid);
      if (entity === undefined) throw entityNotFound(entityUuid);
      if (by.kind === "person" && by.accountUuid === entity.accountUuid) {
        throw new ServiceError("permission_denied", "reviewers can't write about their own entities");
      }
      if (entity.submittedAtMs === undefined) {
        throw new ServiceError("failed_precondition", "the entity doesn't wait for a review");
      }
      if (await isLatestNote(transaction, entity.uuid, { content, by })) return;
      await storeEntry(transaction, entity.uuid, { kind: "note", content, by }, clock());
    });
    return {};
  };
}

/** Whether the latest note is the same, of the same reviewer: a form that was sent once more. */
async function isLatestNote(
  transaction: Transaction<EntitiesSchema>,
  entityUuid: string,
  { content, by }: { readonly content: string; readonly by: Principal },
): Promise<boolean> {
  const [latest] = await readEntries(transaction, entityUuid, ["note"]);
  const author = by.kind === "person" ? by.accountUuid : undefined;
  return latest?.content === content && latest.accountUuid === author;
}
