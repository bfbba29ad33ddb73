import { sql } from "kysely";

/** The condition on rows with the column `authenticated_by`, which `authenticationMethod` reads, for people who had a code. */
export const SIGNED_IN_WITH_CODE = sql<boolean>`(authenticated_by is null or authenticated_by = 'code')`;
