import type { ServiceImpl } from "@connectrpc/connect";
import { presentClearing } from "../../../common/sale/figures/commitment-data.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { clearingPriceMessage } from "../base/commitment-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { readHistory } from "./history-store.ts";

const DEFAULT_POINTS = 300;

export function getHistoryRpc({ store }: CommitmentsContext): ServiceImpl<typeof CommitmentService>["getHistory"] {
  return async ({ saleUuid, maxPoints }) => {
    const limit = maxPoints === 0 ? DEFAULT_POINTS : maxPoints;
    const { sale, points } = await readHistory(store.database, saleUuid.toLowerCase(), limit);
    return {
      points: points.map((point) => {
        const { clearing } = presentClearing(sale.definition, point);
        return {
          fromSeconds: point.fromSeconds,
          seconds: Number(point.seconds),
          totalAmount: point.total.toString(),
          commitmentCount: point.commitments,
          ...(clearing === undefined ? {} : { clearingPrice: clearingPriceMessage(clearing) }),
        };
      }),
      paymentTokenDecimals: sale.definition.paymentTokenDecimals,
    };
  };
}
