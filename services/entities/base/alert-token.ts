import { createHmac, timingSafeEqual } from "node:crypto";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { deriveKey } from "../../../common/platform/secrets/derive-key.ts";
import type { DerivedKeys } from "./derived-keys.ts";

const UUID_BYTES = 16;
/** With the UUID 32 bytes, 43 characters of base64url. */
const MAC_BYTES = 16;

type Keys = Pick<DerivedKeys, "index">;

/**
 * Returns the token by which the mails about a sale are ended. It is made anew for each mail and stored nowhere: who reads the database
 * can't make one. Its key is one that stays when `KEY_ENCRYPTION_KEY` changes, as links in old mails must work.
 */
export function alertToken(keys: Keys, alertUuid: string): string {
  const uuid = bytesOfHex(alertUuid);
  return Buffer.concat([uuid, macOf(keys, uuid)]).toString("base64url");
}

/** Returns the UUID of a token; undefined for one that wasn't made here. */
export function alertOfToken(keys: Keys, token: string): string | undefined {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== UUID_BYTES + MAC_BYTES || bytes.toString("base64url") !== token) return undefined;
  const uuid = bytes.subarray(0, UUID_BYTES);
  return timingSafeEqual(bytes.subarray(UUID_BYTES), macOf(keys, uuid)) ? uuidFromBytes(uuid) : undefined;
}

function macOf({ index }: Keys, uuid: Uint8Array): Buffer {
  const key = deriveKey(index, "tidemark.entities alert token");
  return createHmac("sha256", key).update(uuid).digest().subarray(0, MAC_BYTES);
}
