import type { ServiceImpl } from "@connectrpc/connect";
import type { SecretService } from "../../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";
import { ServiceError } from "../errors/service-error.ts";
import { rewrapBatch } from "./rewrap-batch.ts";
import type { WrappedKind } from "./wrapped-kind.ts";

export interface SecretMethodsOptions {
  /** `keyEncryptionKeyId` of `KEY_ENCRYPTION_KEY`; empty in a service without one, which has no secrets. */
  readonly keyId: string;
  /** The kinds in the order in which they are wrapped. */
  readonly kinds: readonly WrappedKind[];
}

/** The methods of `SecretService`. */
export function secretMethods({ keyId, kinds }: SecretMethodsOptions): ServiceImpl<typeof SecretService> {
  const knowsOtherKey = kinds.some(({ keys }) => keys.length > 1);
  return {
    async rewrapSecrets({ cursor, dryRun, keyId: expected }) {
      if (expected !== "" && expected !== keyId) {
        throw new ServiceError("failed_precondition", "processes of this service have different KEY_ENCRYPTION_KEYs");
      }
      const batch = await rewrapBatch(kinds, cursor, dryRun);
      if (batch === undefined && cursor !== "") throw unknownCursor();
      const { present = 0, other = 0, unreadable = 0 } = batch?.count ?? {};
      const counts = batch !== undefined && present + other + unreadable > 0 ? [batch.count] : [];
      return { counts, nextCursor: batch?.next ?? "", keyId, knowsOtherKey };
    },
  };
}

function unknownCursor(): ServiceError {
  const message = "cursor is none that this service has given";
  return new ServiceError("invalid_argument", message, { violations: [{ field: "cursor", rule: "cursor", message }] });
}
