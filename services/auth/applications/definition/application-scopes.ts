import type { Violation } from "../../../../common/platform/errors/service-error.ts";
import { type ClientScope, isKnownScope, KNOWN_SCOPES } from "../../base/oauth/scope.ts";

/** Returns the violations of the scopes in a client's definition. */
export function clientScopeViolations(scopes: readonly ClientScope[]): readonly Violation[] {
  const names = scopes.map(({ scope }) => scope);
  return names.flatMap((name, index) => {
    const field = `definition.scopes[${index}].scope`;
    if (!isKnownScope(name)) {
      return [{ field, rule: "scope.unknown", message: `must be one of ${KNOWN_SCOPES.join(", ")}` }];
    }
    if (names.indexOf(name) < index) return [{ field, rule: "scope.doubled", message: "is there twice" }];
    return [];
  });
}
