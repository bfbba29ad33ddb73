/** A scope as users read it. */
export interface ScopeText {
  readonly title: string;
  readonly detail: string;
}

/** Where a text says that an application may do more than before, raise `CONSENT_WORDS_VERSION` of the auth service. */
const WORDS: Readonly<Record<string, ScopeText>> = {
  read_entities: {
    title: "See your entities",
    detail:
      "The people and organizations that you take part with: name, kind, region, how far the identity check is, and, once the sale is over, whether they bought.",
  },
  sale_eligibility_check: {
    title: "Check whether you may take part, and ask for purchase permits",
    detail:
      "It learns whether each of your entities may buy and within which limits, and gets permits to buy with your wallet. It can’t buy for you.",
  },
};

/** Returns the text of a scope. @param email address of the account, which the text of `contact_email` names */
export function scopeText(scope: string, email: string): ScopeText {
  if (scope === "contact_email") return { title: "Share your e-mail address", detail: email };
  return WORDS[scope] ?? { title: scope, detail: "" };
}
