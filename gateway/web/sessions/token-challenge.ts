import { PROOF_ALGORITHMS } from "../../../common/platform/jwt/proof-algorithms.ts";

/** The schemes in which an access token may be sent (RFC 6750 section 2.1, RFC 9449 section 7.1). */
export type TokenScheme = "Bearer" | "DPoP";

const REALM = 'realm="tidemark"';
const ALGORITHMS = `algs="${PROOF_ALGORITHMS.join(" ")}"`;

/** The challenges for a request without an access token, which name no error (RFC 6750 section 3.1). */
export const MISSING_TOKEN_CHALLENGE = `Bearer ${REALM}, DPoP ${REALM}, ${ALGORITHMS}`;

/** @param description printable ASCII without `"` and `\`; left out if absent */
export function tokenChallenge(scheme: TokenScheme, error: string, description?: string): string {
  const described = description === undefined ? "" : `, error_description="${description}"`;
  const challenge = `${scheme} ${REALM}, error="${error}"${described}`;
  return scheme === "DPoP" ? `${challenge}, ${ALGORITHMS}` : challenge;
}
