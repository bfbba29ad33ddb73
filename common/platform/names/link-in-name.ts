/** Parts that make mail programs, or people, take a name for a link or an address. A bare `pump.fun` is a name. */
const LINK_PARTS = /:\/\/|www\.|[@/]/giu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The violation of a name in which `hasLinkParts` finds something. */
export const LINK_IN_NAME = { rule: "name.link", message: "must not contain ://, www., @ or /" } as const;

/** Whether a name contains a part of a link or of an e-mail address, however its characters are encoded. */
export function hasLinkParts(name: string): boolean {
  const shown = name.replaceAll(INVISIBLE, "").normalize("NFKC");
  return shown.search(LINK_PARTS) >= 0;
}

/** Returns a name with spaces in place of these parts, for names that are older than the rule. */
export function withoutLinkParts(name: string): string {
  return name.replaceAll(LINK_PARTS, " ");
}
