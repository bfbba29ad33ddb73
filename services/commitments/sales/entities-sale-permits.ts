import { type Client, ConnectError } from "@connectrpc/connect";
import type { Logger } from "../../../common/platform/log/log.ts";
import { passingRefusals } from "../../../common/platform/rpc/client/upstream-refusal.ts";
import type { PermitService } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { PERMIT_STOP_TIMEOUT_MS } from "../base/domain/lifetimes.ts";
import type { SalePermits } from "../base/sale-permits.ts";

/** The RPCs of the entities service that the commitments service calls. */
export type PermitsClient = Pick<Client<typeof PermitService>, "admitOpening" | "stopPermits" | "eraseSale">;

/** Asks the entities service. */
export function entitiesSalePermits(permits: PermitsClient, logger: Logger): SalePermits {
  return {
    admitOpening: async (saleUuid, live) => {
      await passingRefusals(permits.admitOpening({ saleUuid, live }));
    },
    stopPermits: async (saleUuid) => {
      await passingRefusals(permits.stopPermits({ saleUuid }));
    },
    stopPermitsSoon: async (saleUuid) => {
      const stopped = permits.stopPermits({ saleUuid }, { timeoutMs: PERMIT_STOP_TIMEOUT_MS });
      await stopped.catch((error: unknown) => {
        const { rawMessage } = ConnectError.from(error);
        logger.warn({ sale: saleUuid, error: rawMessage }, "permits can't be stopped before the sale's stage changes");
      });
    },
    eraseSale: async (saleUuid) => {
      // The entities service erases every stopped sale by itself once it reads that it is gone.
      await permits.eraseSale({ saleUuid }).catch(() => {});
    },
  };
}
