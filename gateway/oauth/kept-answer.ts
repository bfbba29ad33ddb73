import type { ConsentScope } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { PageForm } from "../web/pages/page-form.ts";
import type { Refusal } from "../web/sessions/sealed-refusal.ts";
import type { EntityChoice } from "./entity-choice.ts";

/** The boxes of an answer that failed, which its page shows as they were. Those that weren't kept are shown as they are stored. */
export interface KeptAnswer {
  readonly scopes: ReadonlySet<string> | undefined;
  /** Whether an entity was ticked, by its UUID, for those that had a box. */
  readonly entities: ReadonlyMap<string, boolean>;
}

const [TICKED, UNTICKED] = ["+", "-"];

/**
 * Returns the boxes of a consent as values to keep. Each kind of boxes is one value, since the longest may be left out: a part of them
 * would read as another answer.
 */
export function keptValues(form: Pick<PageForm, "all">): Refusal["values"] {
  const ticked = new Set(form.all("entity"));
  const entities = form.all("listed").map((uuid) => (ticked.has(uuid) ? TICKED : UNTICKED) + uuid);
  return { scopes: form.all("scope").join(" "), entities: entities.join(" ") };
}

/** Returns the boxes of a consent, from what was kept of `keptValues`; of another form of the page there are none. */
export function keptAnswer({ scopes, entities }: Refusal["values"]): KeptAnswer {
  const boxes = wordsOf(entities).map((box) => [box.slice(1), box.startsWith(TICKED)] as const);
  return { scopes: scopes === undefined ? undefined : new Set(wordsOf(scopes)), entities: new Map(boxes) };
}

/** Returns the scopes as they were ticked. */
export function keepScopes<Scope extends Pick<ConsentScope, "scope" | "granted">>(
  scopes: readonly Scope[],
  kept: KeptAnswer | undefined,
): Scope[] {
  const ticked = kept?.scopes;
  return scopes.map((scope) => (ticked === undefined ? scope : { ...scope, granted: ticked.has(scope.scope) }));
}

/** Returns the entities as they were ticked; those without a box then as they are stored. */
export function keepEntities(choice: EntityChoice, kept: KeptAnswer | undefined): EntityChoice {
  if (choice.kind !== "listed" || kept === undefined) return choice;
  const isHidden = (uuid: string) => !(kept.entities.get(uuid) ?? !choice.hidden.has(uuid));
  return { ...choice, hidden: new Set(choice.entities.map(({ uuid }) => uuid).filter(isHidden)) };
}

function wordsOf(text = ""): readonly string[] {
  return text.split(" ").filter((word) => word !== "");
}
