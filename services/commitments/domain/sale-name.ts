import type { ViolationList } from "./violation-list.ts";

const MAX_CHARACTERS = 200;
/** Controls, line breaks, lone surrogates, and what reorders the text around it (Unicode Bidirectional Algorithm, UAX 9). */
const forbidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Checks the name of a sale; returns it without the white space around it. */
export function checkSaleName(name: string, violations: ViolationList): string {
  const field = "definition.name";
  if (forbidden.test(name)) {
    violations.add(
      field,
      "name.characters",
      "must not contain control characters, line breaks or bidirectional overrides",
    );
  }
  if (!visible.test(name)) violations.add(field, "name.empty", "must have a visible character");
  if ([...name].length > MAX_CHARACTERS) {
    violations.add(field, "name.length", `must have at most ${MAX_CHARACTERS} characters`);
  }
  return name.trim();
}
