import type { ConsentScope } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { Refusal } from "../web/sessions/sealed-refusal.ts";
import type { EntityChoice } from "./entity-choice.ts";

/** Fields of the consent page that say which boxes were ticked. */
export const TICKED_FIELDS = ["scope", "listed", "entity"];

/** The boxes of an answer that failed, which its page shows as they were. */
export interface KeptAnswer {
  readonly scopes: ReadonlySet<string>;
  /** UUIDs of the entities that had a box; none where they were too many to keep. */
  readonly listed: ReadonlySet<string>;
  readonly entities: ReadonlySet<string>;
}

/** Returns the boxes of an answer, from the values of `TICKED_FIELDS` that were kept. */
export function keptAnswer({ scope, listed, entity }: Refusal["values"]): KeptAnswer {
  return { scopes: setOf(scope), listed: setOf(listed), entities: setOf(entity) };
}

/** Returns the scopes as they were ticked. */
export function keepScopes<Scope extends Pick<ConsentScope, "scope" | "granted">>(
  scopes: readonly Scope[],
  kept: KeptAnswer | undefined,
): Scope[] {
  return scopes.map((scope) => (kept === undefined ? scope : { ...scope, granted: kept.scopes.has(scope.scope) }));
}

/** Returns the entities as they were ticked; those without a box then as they are stored. */
export function keepEntities(choice: EntityChoice, kept: KeptAnswer | undefined): EntityChoice {
  if (choice.kind !== "listed" || kept === undefined) return choice;
  const isHidden = (uuid: string) => (kept.listed.has(uuid) ? !kept.entities.has(uuid) : choice.hidden.has(uuid));
  return { ...choice, hidden: new Set(choice.entities.map(({ uuid }) => uuid).filter(isHidden)) };
}

function setOf(words = ""): ReadonlySet<string> {
  return new Set(words.split(" ").filter((word) => word !== ""));
}
