import { create } from "@bufbuild/protobuf";
import {
  type AccessCheck,
  CheckAccessResponseSchema,
} from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { Batcher } from "../../shared/concurrency/batcher.ts";
import type { Upstreams } from "./upstreams.ts";

type Checking = Pick<Upstreams["authorization"], "checkAccess">;

/**
 * Makes checks of access tokens share RPCs: those that arrive at the same moment, or while auth answers, make up one call. Each
 * token is still checked after its own call has arrived, so that what auth has revoked before isn't accepted. Other methods stay
 * as they are.
 */
export function batchedAccess<Authorization extends Checking>(authorization: Authorization): Authorization {
  const check = async (accessTokens: readonly string[]): Promise<readonly AccessCheck[]> =>
    (await authorization.checkAccess({ accessTokens: [...accessTokens] })).checks;
  const batcher = new Batcher(check, { gathers: true });
  return {
    ...authorization,
    async checkAccess({ accessTokens = [] }) {
      const checks = await Promise.all(accessTokens.map((token) => batcher.run(token)));
      return create(CheckAccessResponseSchema, { checks });
    },
  };
}
