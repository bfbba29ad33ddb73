import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { presentClearing } from "../../../common/sale/figures/commitment-data.ts";
import type {
  SaleFiguresSchema,
  SaleOverviewSchema,
  SaleService,
} from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { clearingPriceMessage } from "../base/commitment-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { saleMessage } from "../base/sale-message.ts";
import { readSaleOverviews, type SaleFigures, type SaleOverview } from "./sale-overviews-store.ts";

export function listSaleOverviewsRpc({
  store,
  authority,
}: CommitmentsContext): ServiceImpl<typeof SaleService>["listSaleOverviews"] {
  return async ({ saleUuids }, call) => {
    const asked = [...new Set(saleUuids.map((saleUuid) => saleUuid.toLowerCase()))];
    const visible = await authority.visibleSales(principalOf(call), asked);
    const overviews = await readSaleOverviews(store.database, visible);
    return { overviews: overviews.map(overviewMessage) };
  };
}

/** Converts a sale with its figures now and about a day ago. */
function overviewMessage(overview: SaleOverview): MessageInitShape<typeof SaleOverviewSchema> {
  const { figures, earlier, sale } = overview;
  return {
    sale: saleMessage(overview),
    ...(figures && { figures: presentMessage(sale.definition, figures) }),
    ...(earlier && {
      earlier: figuresMessage(sale.definition, earlier.point),
      earlierAt: timestampFromMs(Number(earlier.atSeconds) * 1_000),
    }),
  };
}

/** Converts the figures as they are now, of which also what is bid below the floor is known while that is the price. */
function presentMessage(definition: SaleDefinition, figures: SaleFigures): MessageInitShape<typeof SaleFiguresSchema> {
  const { pricing } = definition;
  const isAtFloor = pricing.kind === "auction" && figures.clearingTick === pricing.floorTicks;
  const belowFloorAmount = isAtFloor ? (figures.belowFloor ?? 0n).toString() : "";
  return { ...figuresMessage(definition, figures), belowFloorAmount };
}

function figuresMessage(definition: SaleDefinition, figures: SaleFigures): MessageInitShape<typeof SaleFiguresSchema> {
  const { clearing } = presentClearing(definition, figures);
  return {
    totalAmount: figures.total.toString(),
    commitmentCount: figures.count,
    ...(clearing && { clearingPrice: clearingPriceMessage(clearing) }),
  };
}
