import type { ServiceImpl } from "@connectrpc/connect";
import type { KeyService } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { keyMessage } from "./key-message.ts";
import type { KeyRing } from "./key-ring.ts";

export function rotateKeys({
  keyRing,
}: {
  readonly keyRing: Pick<KeyRing, "rotate">;
}): ServiceImpl<typeof KeyService>["rotateKeys"] {
  return async () => ({ keys: (await keyRing.rotate()).map(keyMessage) });
}
