import type { ServiceImpl } from "@connectrpc/connect";
import type { KeyService, SigningKey } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import { keyMessages } from "./key-message.ts";
import type { KeyRings } from "./key-rings.ts";

/** Removes leaked keys of either algorithm. @param listKeys lists the keys of both */
export function removeKeys(
  { keyRing, rsaKeyRing }: KeyRings,
  listKeys: () => Promise<{ readonly keys: SigningKey[] }>,
): ServiceImpl<typeof KeyService>["removeKeys"] {
  return async ({ which, dryRun }) => {
    const wanted = which.case === "keyId" ? [which.value] : "all";
    const removed = keyMessages(await keyRing.remove(wanted, dryRun), await rsaKeyRing.remove(wanted, dryRun));
    if (removed.length === 0) throw new ServiceError("not_found", "no key with this ID is kept");
    const isRemoved = new Set(removed.map(({ keyId }) => keyId));
    const { keys } = await listKeys();
    return { removed, keys: keys.filter(({ keyId }) => !isRemoved.has(keyId)) };
  };
}
