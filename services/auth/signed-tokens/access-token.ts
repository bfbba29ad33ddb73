import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";

const TOKEN_ID = /^([A-Za-z0-9_-]{22})\.[A-Za-z0-9_-]{22}$/;
const UUID_BYTES = 16;

/** The `jti` of an access token. It contains the family, so that revoking the family needs no row for each access token. */
export function accessTokenId(familyUuid: string, random: Buffer): string {
  return `${bytesOfHex(familyUuid).toString("base64url")}.${random.toString("base64url")}`;
}

/** The family in a `jti`; undefined for one that `accessTokenId` hasn't made. */
export function familyOfTokenId(tokenId: string): string | undefined {
  const family = Buffer.from(TOKEN_ID.exec(tokenId)?.[1] ?? "", "base64url");
  return family.length === UUID_BYTES ? uuidFromBytes(family) : undefined;
}
