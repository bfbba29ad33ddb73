import { sql } from "kysely";
/** How a person has signed in: with a code from an e-mail, or with a passkey. */
export type AuthenticationMethod = "code" | "passkey";

/** Reads the column `authenticated_by`. Rows of versions without passkeys have none: those people had a code. */
export function authenticationMethod(column: AuthenticationMethod | null): AuthenticationMethod {
  return column ?? "code";
}

/** The condition on rows with the column `authenticated_by`, which `authenticationMethod` reads, for people who had a code. */
export const SIGNED_IN_WITH_CODE = sql<boolean>`(authenticated_by is null or authenticated_by = 'code')`;
