/** Scopes with which an application sees entities (docs/public-calls.md). */
const ENTITY_SCOPES: ReadonlySet<string> = new Set(["read_entities", "sale_eligibility_check"]);

/** Returns whether an application with these scopes sees entities of its user. */
export function seesEntities(scopes: readonly string[]): boolean {
  return scopes.some((scope) => ENTITY_SCOPES.has(scope));
}
