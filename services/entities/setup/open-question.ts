import type { Transaction } from "kysely";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import { withoutHiddenCharacters } from "../../../common/platform/names/hidden-characters.ts";
import type { Principal } from "../../../common/platform/rpc/identity/principal.ts";
import type { Entity } from "../base/entity.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { storeEntry } from "./review-entries-store.ts";

/**
 * Stores the answer to a reviewer's question, with which the entity waits for a review again. Without a question nothing is stored.
 *
 * @throws ServiceError `invalid_argument` without an answer
 */
export async function storeAnswer(
  transaction: Transaction<EntitiesSchema>,
  entity: Entity,
  { answer, by }: { readonly answer: string; readonly by: Principal },
  nowMs: bigint,
): Promise<void> {
  if (entity.openQuestion === undefined) return;
  const content = withoutHiddenCharacters(answer, " ").trim();
  if (content !== "") return storeEntry(transaction, entity.uuid, { kind: "answer", content, by }, nowMs);
  throw invalidArgument([{ field: "answer", rule: "answer.required", message: "must answer the reviewer's question" }]);
}
