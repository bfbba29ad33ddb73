import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import type { Source } from "../../../common/sale/definition/sale.ts";
import type {
  CheckSourceRequestSchema,
  IndexerService,
} from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { CHECK_TIMEOUT_MS } from "../base/domain/lifetimes.ts";
import type { SourceChecker, SourceFindings } from "../base/source-checker.ts";

/** The RPCs of the indexer that the commitments service calls. */
export type IndexerClient = Pick<Client<typeof IndexerService>, "checkSource" | "checkTokens">;

/** The refusals that say something about the source: the chain isn't configured, the address isn't one. */
const FINDINGS = new Set(["not_found", "invalid_argument"]);

/** Checks sources and tokens through the indexer. */
export function indexerSourceChecker(indexer: IndexerClient): SourceChecker {
  return {
    async checkSource(source) {
      const found = await asked(() => indexer.checkSource(checkRequest(source), { timeoutMs: CHECK_TIMEOUT_MS }));
      if ("problem" in found) return { problems: [found.problem], paymentTokens: [] };
      const { readable, problems, saleUuid, paymentTokens, cancelledKeepsAmounts } = found.done;
      return {
        problems: readable ? [] : unreadable(problems),
        ...(saleUuid !== "" && { saleUuid: saleUuid.toLowerCase() }),
        paymentTokens: source.kind === "evm" ? paymentTokens.map((address) => address.toLowerCase()) : paymentTokens,
        ...(cancelledKeepsAmounts !== undefined && { cancelledKeepsAmounts }),
      };
    },

    async checkTokens(chain, addresses) {
      const found = await asked(() =>
        indexer.checkTokens({ chain, addresses: [...addresses] }, { timeoutMs: CHECK_TIMEOUT_MS }),
      );
      // The check of the source says what is wrong with the chain.
      if ("problem" in found) return [];
      return found.done.tokens.map(({ address, decimals, symbol }) => ({
        address,
        ...(decimals !== undefined && { decimals }),
        ...(symbol !== "" && { symbol }),
      }));
    },
  };
}

function checkRequest(source: Source): MessageInitShape<typeof CheckSourceRequestSchema> {
  const { chain } = source;
  if (source.kind === "svm") return { chain, address: source.saleAccount };
  return { chain, address: source.contract, contractVersion: source.contractVersion ?? 0 };
}

function unreadable(problems: readonly string[]): SourceFindings["problems"] {
  return problems.length > 0 ? problems : ["there is no sale that can be read"];
}

/** @throws ServiceError `unavailable`, `resource_exhausted` */
async function asked<Response>(
  call: () => Promise<Response>,
): Promise<{ readonly done: Response } | { readonly problem: string }> {
  try {
    return { done: await call() };
  } catch (error) {
    const refusal = toServiceError(error);
    if (refusal !== undefined && FINDINGS.has(refusal.code)) return { problem: refusal.message };
    if (refusal?.code === "resource_exhausted") throw refusal;
    const message = "the indexer doesn't answer, so the contract can't be checked; retry";
    throw new ServiceError("unavailable", message, { cause: error });
  }
}
