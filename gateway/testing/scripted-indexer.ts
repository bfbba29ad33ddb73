import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  ChainKind,
  CheckFinalityResponseSchema,
  CheckSourceResponseSchema,
  CheckTokensResponseSchema,
  ListChainsResponseSchema,
} from "../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import type { IndexerClient } from "../dashboard/base/dashboard-dependencies.ts";

/** Answers of an indexer about every contract; `away` for one that doesn't answer. */
export type ScriptedCheck = MessageInitShape<typeof CheckSourceResponseSchema> | "away";

/** Returns an indexer that says the same of every contract. */
export function scriptedIndexer(check: ScriptedCheck): IndexerClient {
  const answered = <Answer>(answer: Answer): Promise<Answer> =>
    check === "away" ? Promise.reject(new ConnectError("scripted", Code.Unavailable)) : Promise.resolve(answer);
  return {
    listChains: () =>
      answered(create(ListChainsResponseSchema, { chains: [{ name: "ethereum", kind: ChainKind.EVM }] })),
    checkSource: () => answered(create(CheckSourceResponseSchema, check === "away" ? {} : check)),
    checkTokens: () => answered(create(CheckTokensResponseSchema)),
    checkFinality: () => answered(create(CheckFinalityResponseSchema)),
  };
}
