import type { Texts } from "./en.ts";

/** A scope as users read it. */
export interface ScopeText {
  readonly title: string;
  readonly detail: string;
}

/** Returns the text of a scope. @param email address of the account, which the text of `contact_email` names */
export function scopeText(name: string, email: string, { scope }: Texts): ScopeText {
  switch (name) {
    case "read_entities":
      return { title: scope.readEntities, detail: scope.readEntitiesDetail };
    case "sale_eligibility_check":
      return { title: scope.eligibility, detail: scope.eligibilityDetail };
    case "contact_email":
      return { title: scope.contactEmail, detail: email };
    default:
      return { title: name, detail: "" };
  }
}
