/** The role of a person in a sale, in words. */
export interface RoleWords {
  readonly name: string;
  /** Article of the name in a sentence. */
  readonly article: "a" | "an";
  /** The role's rights, as a sentence without a full stop whose subject is the person. */
  readonly detail: string;
}

/** The roles, the one with the fewest rights first. */
export const ROLE_WORDS = {
  viewer: { name: "Viewer", article: "a", detail: "Sees everything and changes nothing" },
  editor: {
    name: "Editor",
    article: "an",
    detail: "Changes settings and applications, but not where users are sent",
  },
  owner: { name: "Owner", article: "an", detail: "Does everything: redirect URIs, members, opening and settling" },
} as const satisfies Readonly<Record<string, RoleWords>>;

export type RoleName = keyof typeof ROLE_WORDS;

/** Returns a role in a sentence, such as `an owner`. */
export function roleNoun(role: RoleName): string {
  const { name, article } = ROLE_WORDS[role];
  return `${article} ${name.toLowerCase()}`;
}
