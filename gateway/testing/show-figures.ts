import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Sale } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SaleOverviewSchema, SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { FounderSite } from "./founder-site.ts";

/** Has sales show figures of now and of a day ago: a service that has just started can have no such. */
export function showFigures({ gateway }: FounderSite, change: Partial<Sale> = {}): void {
  const { faults } = gateway.sales;
  const figures = create(SaleOverviewSchema, {
    figures: {
      totalAmount: "12500000000",
      commitmentCount: 1_042n,
      clearingPrice: { price: { numerator: "25", denominator: `1${"0".repeat(14)}` } },
    },
    earlier: { totalAmount: "2500000000", commitmentCount: 1_000n },
    earlierAt: timestampFromMs(Date.UTC(2026, 10, 24, 16)),
  });
  const edited = { hasSnapshot: true, ...change };
  faults.edit(SaleService.method.getSale, ({ sale }) => sale && Object.assign(sale, edited));
  faults.edit(SaleService.method.listSaleOverviews, ({ overviews }) => {
    for (const overview of overviews) {
      const { sale } = overview;
      Object.assign(overview, figures, { sale: sale && Object.assign(sale, edited) });
    }
  });
}
