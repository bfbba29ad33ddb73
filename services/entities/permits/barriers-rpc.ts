import type { ServiceImpl } from "@connectrpc/connect";
import type { PermitService } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { admitOpening } from "./admit-opening.ts";
import { eraseRemovedSale } from "./complete-stop.ts";
import type { PermitDependencies } from "./dependencies.ts";
import { stopPermits } from "./stop-permits.ts";

type Methods = Pick<ServiceImpl<typeof PermitService>, "admitOpening" | "stopPermits" | "eraseSale">;

/** The methods of `PermitService` for the commitments service. */
export function barrierMethods(dependencies: PermitDependencies): Methods {
  return {
    async admitOpening({ saleUuid, live }) {
      await admitOpening(dependencies, saleUuid.toLowerCase(), live);
      return {};
    },
    async stopPermits({ saleUuid }) {
      await stopPermits(dependencies, saleUuid.toLowerCase());
      return {};
    },
    async eraseSale({ saleUuid }) {
      await eraseRemovedSale(dependencies, saleUuid.toLowerCase());
      return {};
    },
  };
}
