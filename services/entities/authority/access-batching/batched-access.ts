import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Batcher } from "../../../../common/platform/concurrency/batcher.ts";
import {
  type AccessCheck,
  type AccessProofSchema,
  CheckAccessResponseSchema,
} from "../../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { Upstreams } from "../../base/upstreams.ts";

type Checking = Pick<Upstreams["authorization"], "checkAccess">;

/** An access token and how it was sent. */
interface Presented {
  readonly accessToken: string;
  /** Undefined for `Bearer`. */
  readonly proof: MessageInitShape<typeof AccessProofSchema> | undefined;
}

/**
 * Makes checks of access tokens share RPCs: those that arrive at the same moment, or while auth answers, make up one call. Each
 * token is still checked after its own call has arrived, so that what auth has revoked before isn't accepted. Other methods stay
 * as they are.
 */
export function batchedAccess<Authorization extends Checking>(authorization: Authorization): Authorization {
  const check = async (presented: readonly Presented[]): Promise<readonly AccessCheck[]> => {
    const accessTokens = presented.map(({ accessToken }) => accessToken);
    const isProved = presented.some(({ proof }) => proof !== undefined);
    const proofs = isProved ? presented.map(({ proof = {} }) => proof) : [];
    return (await authorization.checkAccess({ accessTokens, proofs })).checks;
  };
  const batcher = new Batcher(check);
  return {
    ...authorization,
    async checkAccess({ accessTokens = [], proofs = [] }) {
      const presented = accessTokens.map((accessToken, index) => ({ accessToken, proof: proofs[index] }));
      const checks = await Promise.all(presented.map((item) => batcher.run(item)));
      return create(CheckAccessResponseSchema, { checks });
    },
  };
}
