import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { KeyService, SigningKey } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import type { AuthMetrics } from "../base/auth-metrics.ts";
import { keyMessages } from "./key-message.ts";
import type { KeyRings } from "./key-rings.ts";

interface RemovalDependencies extends KeyRings {
  /** Lists the keys of both algorithms. */
  readonly listKeys: () => Promise<{ readonly keys: SigningKey[] }>;
  readonly metrics: Pick<AuthMetrics, "keysRemoved">;
}

/** Removes leaked keys of either algorithm, and counts them. */
export function removeKeys({
  keyRing,
  rsaKeyRing,
  listKeys,
  metrics,
}: RemovalDependencies): ServiceImpl<typeof KeyService>["removeKeys"] {
  return async ({ which, dryRun }) => {
    const wanted = which.case === "keyId" ? [which.value] : "all";
    const removed = keyMessages(await keyRing.remove(wanted, dryRun), await rsaKeyRing.remove(wanted, dryRun));
    if (removed.length === 0) throw new ServiceError("not_found", "no key with this ID is kept");
    if (!dryRun) metrics.keysRemoved.inc(removed.length);
    const isRemoved = new Set(removed.map(({ keyId }) => keyId));
    const { keys } = await listKeys();
    return { removed, keys: keys.filter(({ keyId }) => !isRemoved.has(keyId)) };
  };
}
