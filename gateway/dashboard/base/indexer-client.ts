import type { Client } from "@connectrpc/connect";
import type { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";

/** The indexer's calls that the dashboard makes. */
export type IndexerClient = Pick<
  Client<typeof IndexerService>,
  "listChains" | "checkSource" | "checkTokens" | "checkFinality"
>;
