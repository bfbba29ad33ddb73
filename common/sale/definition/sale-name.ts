import { brokenNameRules } from "../../platform/names/name-rules.ts";
import type { ViolationList } from "./violation-list.ts";

const MAX_CHARACTERS = 200;

/**
 * Checks the name of a sale; returns it without the white space around it.
 *
 * @param kept the name that the sale has, which may be older than some rules
 */
export function checkSaleName(name: string, violations: ViolationList, kept?: string): string {
  const trimmed = name.trim();
  for (const { rule, message } of brokenNameRules(trimmed, { maxCharacters: MAX_CHARACTERS, kept })) {
    violations.add("definition.name", rule, message);
  }
  return trimmed;
}
