import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { contractFamilyMessage } from "../../../common/sale/definition/contract-family.ts";
import { type Source, sourceAddress, sourceFamily, sourceVersion } from "../../../common/sale/definition/sale.ts";
import {
  refusedFindings,
  type SourceFindings,
  sourceFindings,
  tokenFindings,
} from "../../../common/sale/definition/source-findings.ts";
import type {
  CheckSourceRequestSchema,
  IndexerService,
} from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { CHECK_TIMEOUT_MS } from "../base/domain/lifetimes.ts";
import type { SourceChecker } from "../base/source-checker.ts";

/** The RPCs of the indexer that the commitments service calls. */
export type IndexerClient = Pick<Client<typeof IndexerService>, "checkSource" | "checkTokens" | "getBidExits">;

/** Checks sources and tokens through the indexer. */
export function indexerSourceChecker(indexer: Pick<IndexerClient, "checkSource" | "checkTokens">): SourceChecker {
  return {
    async checkSource(source) {
      const found = await asked(() => indexer.checkSource(checkRequest(source), { timeoutMs: CHECK_TIMEOUT_MS }));
      return "done" in found ? sourceFindings(found.done) : found.refused;
    },

    async checkTokens(chain, addresses) {
      const found = await asked(() =>
        indexer.checkTokens({ chain, addresses: [...addresses] }, { timeoutMs: CHECK_TIMEOUT_MS }),
      );
      // The check of the source says what is wrong with the chain.
      return "done" in found ? tokenFindings(found.done.tokens) : [];
    },
  };
}

function checkRequest(source: Source): MessageInitShape<typeof CheckSourceRequestSchema> {
  const [contractVersion, family] = [sourceVersion(source) ?? 0, contractFamilyMessage(sourceFamily(source))];
  return { chain: source.chain, address: sourceAddress(source), contractVersion, family };
}

/** @throws ServiceError `unavailable`, `resource_exhausted` */
async function asked<Response>(
  call: () => Promise<Response>,
): Promise<{ readonly done: Response } | { readonly refused: SourceFindings }> {
  try {
    return { done: await call() };
  } catch (error) {
    const refusal = toServiceError(error);
    const refused = refusedFindings(refusal);
    if (refused !== undefined) return { refused };
    if (refusal?.code === "resource_exhausted") throw refusal;
    const message = "the indexer doesn't answer, so the contract can't be checked; retry";
    throw new ServiceError("unavailable", message, { cause: error });
  }
}
