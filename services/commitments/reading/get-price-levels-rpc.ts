import type { ServiceImpl } from "@connectrpc/connect";
import { presentClearing } from "../../../common/sale/figures/commitment-data.ts";
import { priceOfTicks } from "../../../common/sale/figures/price.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { clearingPriceMessage, fractionMessage } from "../base/commitment-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { generationNumber } from "../base/generation.ts";
import { readPriceLevels } from "./price-levels-store.ts";

const DEFAULT_LEVELS = 200;

export function getPriceLevelsRpc({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["getPriceLevels"] {
  return async ({ saleUuid, maxLevels }) => {
    const limit = maxLevels === 0 ? DEFAULT_LEVELS : maxLevels;
    const { sale, state, levels } = await readPriceLevels(store.database, saleUuid.toLowerCase(), limit);
    const { clearing } = presentClearing(sale.definition, state);
    return {
      generation: generationNumber(state.generation),
      revision: state.revision,
      levels: levels.map((level) => ({
        lowestTick: level.lowestTick.toString(),
        highestTick: level.highestTick.toString(),
        lowestPrice: fractionMessage(priceOfTicks(level.lowestTick, sale.definition.priceTick)),
        highestPrice: fractionMessage(priceOfTicks(level.highestTick, sale.definition.priceTick)),
        amount: level.amount.toString(),
        commitmentCount: level.commitments,
        cumulativeAmount: level.cumulativeAmount.toString(),
      })),
      ...(clearing === undefined ? {} : { clearingPrice: clearingPriceMessage(clearing) }),
      clearingTick: String(state.clearingTick ?? 0n),
      paymentTokenDecimals: sale.definition.paymentTokenDecimals,
    };
  };
}
