/** A scope as users read it. */
export interface ScopeText {
  readonly title: string;
  readonly detail: string;
}

const WORDS: Readonly<Record<string, ScopeText>> = {
  read_entities: {
    title: "See your entities",
    detail: "The people and companies that you registered, and whether they are eligible.",
  },
  sale_eligibility_check: {
    title: "Check whether you may take part in sales",
    detail: "It gets the answer for each of your entities and each sale.",
  },
};

/** Returns the text of a scope. @param email address of the account, which the text of `contact_email` names */
export function scopeText(scope: string, email: string): ScopeText {
  if (scope === "contact_email") return { title: "Share your e-mail address", detail: email };
  return WORDS[scope] ?? { title: scope, detail: "" };
}
