import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { DaySignInsSchema } from "../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { FailureReason } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { SetupState } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { DAY_MS } from "../dashboard/days/day-series.ts";
import { SALE } from "./fake-commitments.ts";
import type { FounderSite } from "./founder-site.ts";
import { storePermits } from "./taking-part.ts";

/** Has the services answer about `SALE` with figures, sign-ins and permits of yesterday and today. */
export async function someDays({ gateway }: FounderSite): Promise<void> {
  const { sales, auth, entities } = gateway;
  const today = Date.now() - (Date.now() % DAY_MS);
  sales.faults.edit(SaleService.method.getSale, ({ sale }) => sale && Object.assign(sale, { hasSnapshot: true }));
  const point = (daysAgo: number, totalAmount: string, commitmentCount: bigint) => ({
    ...{ fromSeconds: BigInt(today / 1_000 - daysAgo * 86_400), seconds: 60, totalAmount, commitmentCount },
  });
  sales.faults.answers.set("GetHistory", {
    points: [point(1, "2500000000", 40n), point(0, "12500000000", 52n)],
    paymentTokenDecimals: 6,
  });
  const days = [create(DaySignInsSchema, { day: timestampFromMs(today - DAY_MS), signIns: 1_203n })];
  auth.faults.answers.set("CountSignIns", { sales: [{ saleUuid: SALE, days }] });
  await storePermits(gateway, [{}, {}, {}]);
  const day = (daysAgo: number) => timestampFromMs(today - daysAgo * DAY_MS);
  const refused = (reason: FailureReason, permits: bigint) => ({ reason, permits });
  entities.faults.answers.set("CountSaleDays", {
    days: [
      { day: day(1), refusals: [refused(FailureReason.WALLET_NOT_LINKED, 5n), refused(FailureReason.WALLET_RISK, 2n)] },
      { day: day(0), newEntities: 2n, refusals: [refused(FailureReason.WALLET_NOT_LINKED, 1n)] },
    ],
    entities: [
      { state: SetupState.IN_REVIEW, entities: 2n },
      { state: SetupState.READY_FOR_REVIEW, entities: 3n },
      { state: SetupState.COMPLETE, entities: 11n },
    ],
  });
}
