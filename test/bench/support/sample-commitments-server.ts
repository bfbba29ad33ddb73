import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { createLogger } from "../../../services/shared/log.ts";
import { type RpcServer, startRpcServer } from "../../../services/shared/rpc/server.ts";
import { sampleCommitmentData } from "./sample-sale.ts";

const GENERATION = 1n;
const REVISION = 1n;

/** A commitments service in this process that holds the sample sale under every UUID and lets anyone in. */
export function startSampleCommitmentsServer(): Promise<RpcServer> {
  const data = sampleCommitmentData();
  return startRpcServer({
    host: "127.0.0.1",
    port: 0,
    gate: async () => {},
    logger: createLogger({ service: "sample", level: "warn" }),
    routes: ({ service }) =>
      service(CommitmentService, {
        getCommitmentData: () => ({ generation: GENERATION, revision: REVISION, data }),
        getRevisions: ({ saleUuids }) => ({
          revisions: saleUuids.map((saleUuid) => ({ saleUuid, generation: GENERATION, revision: REVISION })),
        }),
      }),
  });
}
