import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { SignatureAlgorithm } from "../../../common/platform/jwt/signature-algorithm.ts";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import {
  type KeyService,
  KeyStatus,
  type SigningKey,
  SigningKeySchema,
} from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import type { AuthMetrics } from "../base/auth-metrics.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import type { KeyRings } from "./key-ring.ts";
import type { ScheduledKey } from "./key-schedule.ts";

const STATUS: Readonly<Record<ScheduledKey["status"], KeyStatus>> = {
  next: KeyStatus.NEXT,
  active: KeyStatus.ACTIVE,
  retired: KeyStatus.RETIRED,
};

/** The methods of `KeyService`. */
export function keyMethods(
  { keyRing, rsaKeyRing }: KeyRings,
  metrics: Pick<AuthMetrics, "keysRemoved">,
): ServiceImpl<typeof KeyService> {
  const listKeys = async () => ({ keys: keyMessages(await keyRing.list(), await rsaKeyRing.list()) });
  return {
    listKeys,
    removeKeys: removeKeys({ keyRing, rsaKeyRing }, listKeys, metrics),
    async rotateKeys() {
      // First those that were made last: if they can't be rotated yet, none is.
      if ((await rsaKeyRing.list()).length > 0) await rsaKeyRing.rotate();
      await keyRing.rotate();
      return listKeys();
    },
  };
}

/** The method of `AuthorizationService` for the public keys. */
export function jwksMethods({
  keyRing,
  rsaKeyRing,
}: KeyRings): Pick<ServiceImpl<typeof AuthorizationService>, "getJwks"> {
  return {
    async getJwks({ complete }) {
      const [{ keys }, { keys: rsaKeys }] = [await keyRing.jwks(), await rsaKeyRing.jwks(complete)];
      return { jwksJson: JSON.stringify({ keys: [...keys, ...rsaKeys] }) };
    },
  };
}

/** Removes leaked keys of either algorithm, and counts them. */
function removeKeys(
  { keyRing, rsaKeyRing }: KeyRings,
  listKeys: () => Promise<{ readonly keys: SigningKey[] }>,
  metrics: Pick<AuthMetrics, "keysRemoved">,
): ServiceImpl<typeof KeyService>["removeKeys"] {
  return async ({ which, dryRun }) => {
    const keyIds = which.case === "keyId" ? [which.value] : "all";
    const removed = keyMessages(await keyRing.remove(keyIds, dryRun), await rsaKeyRing.remove(keyIds, dryRun));
    if (removed.length === 0) throw new ServiceError("not_found", "no key with this ID is kept");
    if (!dryRun) metrics.keysRemoved.inc(removed.length);
    const isRemoved = new Set(removed.map(({ keyId }) => keyId));
    const { keys } = await listKeys();
    return { removed, keys: keys.filter(({ keyId }) => !isRemoved.has(keyId)) };
  };
}

/** Encodes keys of both algorithms, those of ES256 first. */
function keyMessages(keys: readonly ScheduledKey[], rsaKeys: readonly ScheduledKey[]): SigningKey[] {
  return [...keys.map((key) => keyMessage(key, "ES256")), ...rsaKeys.map((key) => keyMessage(key, "RS256"))];
}

function keyMessage(
  { keyId, status, createdAtMs, activatedAtMs, retiredAtMs }: ScheduledKey,
  algorithm: SignatureAlgorithm,
): SigningKey {
  return create(SigningKeySchema, {
    keyId,
    algorithm,
    status: STATUS[status],
    createdAt: timestampOf(createdAtMs),
    ...(activatedAtMs === undefined ? {} : { activatedAt: timestampOf(activatedAtMs) }),
    ...(retiredAtMs === undefined ? {} : { retiredAt: timestampOf(retiredAtMs) }),
  });
}
