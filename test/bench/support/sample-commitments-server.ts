import { createLogger } from "../../../common/platform/log/log.ts";
import { openHttpListener } from "../../../common/platform/rpc/server/http-listener.ts";
import { type RpcServer, startRpcServer } from "../../../common/platform/rpc/server/server.ts";
import type { CommitmentData } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { sampleCommitmentData, sampleDemand, sampleHistory } from "./sample-sale.ts";

const GENERATION = 1n;

/** The data of every sale. It may change if its revision increases. */
export interface ServedSale {
  readonly revision: bigint;
  readonly data: CommitmentData;
}

/** Starts a commitments service in this process that answers with one sale for every UUID, to every caller. */
export async function startSampleCommitmentsServer(
  sale: ServedSale = { revision: 1n, data: sampleCommitmentData() },
): Promise<RpcServer> {
  const logger = createLogger({ service: "sample", level: "warn" });
  return startRpcServer({
    listener: await openHttpListener({ host: "127.0.0.1", port: 0, logger }),
    gate: async () => {},
    logger,
    routes: ({ service }) =>
      service(CommitmentService, {
        getCommitmentData: () => ({ generation: GENERATION, ...served(sale) }),
        getHistory: () => ({ points: sampleHistory(), paymentTokenDecimals: sale.data.paymentTokenDecimals }),
        getPriceLevels: () => ({ ...sampleDemand(), paymentTokenDecimals: sale.data.paymentTokenDecimals }),
        getRevisions: ({ saleUuids }) => ({
          revisions: saleUuids.map((saleUuid) => ({ saleUuid, generation: GENERATION, revision: sale.revision })),
        }),
      }),
  });
}

function served({ revision, data }: ServedSale): ServedSale {
  return { revision, data };
}
