import { createHmac } from "node:crypto";
import { bytesOfHex } from "../../shared/encoding/hex.ts";

/**
 * `sub` of an account in a sale: nobody without the sale's salt can tell that two sales have the same person (OpenID
 * Connect Core section 8.1).
 */
export function pairwiseSubject(subjectSalt: Uint8Array, accountUuid: string): string {
  return createHmac("sha256", subjectSalt).update(bytesOfHex(accountUuid)).digest("base64url");
}
