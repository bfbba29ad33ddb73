import type { Violation } from "../../../../common/platform/errors/service-error.ts";
import { brokenNameRules } from "../../../../common/platform/names/name-rules.ts";

const MAX_CHARACTERS = 100;

/** The name of a client as it is stored: without surrounding white space. */
export function trimmedClientName(name: string): string {
  return name.trim();
}

/**
 * Returns the violations of the name of a client, which users see on the pages of an authorization and in mails.
 *
 * @param kept the name that the client has, which may be older than the rule about links
 */
export function clientNameViolations(name: string, kept?: string): readonly Violation[] {
  const broken = brokenNameRules(trimmedClientName(name), { maxCharacters: MAX_CHARACTERS, kept });
  return broken.map((rule) => ({ field: "definition.name", ...rule }));
}
