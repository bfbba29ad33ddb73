import { createHmac } from "node:crypto";
import { bytesOfHex } from "../../shared/encoding/hex.ts";

/**
 * The `sub` of an account in a sale (OpenID Connect Core section 8.1). Without the sale's salt, nobody can find out that two
 * sales have the same user.
 */
export function pairwiseSubject(subjectSalt: Uint8Array, accountUuid: string): string {
  return createHmac("sha256", subjectSalt).update(bytesOfHex(accountUuid)).digest("base64url");
}
