import { bytesOfHex } from "../../shared/encoding/hex.ts";
import { uuidFromBytes } from "../../shared/encoding/uuid.ts";

const TOKEN_ID = /^([A-Za-z0-9_-]{22})\.[A-Za-z0-9_-]{22}$/;
const UUID_BYTES = 16;

/** `jti`: names the family too, so that its revocation reaches an access token without a row for each. */
export function accessTokenId(familyUuid: string, random: Buffer): string {
  return `${bytesOfHex(familyUuid).toString("base64url")}.${random.toString("base64url")}`;
}

/** The family that a `jti` names; undefined where it isn't one of ours. */
export function familyOfTokenId(tokenId: string): string | undefined {
  const family = Buffer.from(TOKEN_ID.exec(tokenId)?.[1] ?? "", "base64url");
  return family.length === UUID_BYTES ? uuidFromBytes(family) : undefined;
}
