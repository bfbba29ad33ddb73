import { createHmac, createSecretKey } from "node:crypto";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";

/**
 * The `sub` of an account in a sale (OpenID Connect Core section 8.1). Without the sale's salt, nobody can find out that two
 * sales have the same user.
 *
 * A key object makes the HMAC three times as fast as the bytes of the key.
 */
export function pairwiseSubject(subjectSalt: Uint8Array, accountUuid: string): string {
  return createHmac("sha256", createSecretKey(subjectSalt)).update(bytesOfHex(accountUuid)).digest("base64url");
}
