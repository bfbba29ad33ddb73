import type { ServiceImpl } from "@connectrpc/connect";
import type { KeyService } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import type { Dependencies } from "../base/dependencies.ts";
import { keyMessage } from "./key-message.ts";

export function rotateKeys({ keyRing }: Pick<Dependencies, "keyRing">): ServiceImpl<typeof KeyService>["rotateKeys"] {
  return async () => ({ keys: (await keyRing.rotate()).map(keyMessage) });
}
