import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import {
  type ApplyCommitmentsRequest,
  CommitmentService,
} from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import {
  type Sale,
  SaleDefinitionSchema,
  SaleSchema,
  SaleStatus,
  Tenancy,
} from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import {
  type PreviewSaleResponseSchema,
  type SaleOverview,
  SaleService,
  type UpdateSaleRequest,
} from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { WebhookService } from "../../proto/gen/tidemark/commitments/v1/webhook_service_pb.ts";
import type { DashboardServices } from "../dashboard/base/dashboard-dependencies.ts";
import { SALE } from "./fake-commitments.ts";

/** Returns an auction on an EVM chain, paid in USDC, with prices in steps of 0.01 USDC. */
export function fakeAuction(name = "Harbour Token"): Sale {
  return create(SaleSchema, {
    uuid: SALE,
    tenancy: Tenancy.TEST,
    status: SaleStatus.DRAFT,
    definitionVersion: 1n,
    definition: create(SaleDefinitionSchema, {
      name,
      paymentTokens: [{ address: `0x${"a1".repeat(20)}`, decimals: 6, usdStablecoin: true, symbol: "USDC" }],
      paymentTokenDecimals: 6,
      offeredTokenDecimals: 18,
      priceTick: { numerator: "1", denominator: "100000000000000" },
      pricing: { case: "auction", value: { offeredAmount: "1000", floorTicks: 10n, incrementTicks: 1n } },
      source: { case: "evm", value: { chain: "harbour", contract: `0x${"c0".repeat(20)}` } },
    }),
  });
}

const NO_WEBHOOKS = createRouterTransport(({ service }) => void service(WebhookService, {}));

/** The sales of a commitments service in memory, asked through Connect's own client, that refuses on command. */
export class FakeSales {
  sale: Sale = fakeAuction();
  /** Other sales of `ListSaleOverviews`, and the figures of each. */
  others: readonly Sale[] = [];
  figures: Pick<SaleOverview, "figures" | "earlier" | "earlierAt"> = {};
  /** The sales that each `ListSaleOverviews` asked for. */
  readonly overviews: (readonly string[])[] = [];
  /** Error with which `ListSaleOverviews` fails while it is set. */
  overviewFailure: ConnectError | undefined;
  /** Each `UpdateSale` that wasn't refused. The sale stays as it is. */
  readonly updates: UpdateSaleRequest[] = [];
  /** The image of each `SetSaleLogo` that wasn't refused. */
  readonly logos: Uint8Array[] = [];
  /** Error with which `UpdateSale`, `SetSaleLogo` and `ApplyCommitments` fail while it is set. */
  refusal: ConnectError | undefined;

  /** Each `ApplyCommitments` that wasn't refused. */
  readonly applies: ApplyCommitmentsRequest[] = [];

  readonly services: DashboardServices = {
    webhooks: createClient(WebhookService, NO_WEBHOOKS),
    commitments: createClient(
      CommitmentService,
      createRouterTransport(({ service }) =>
        service(CommitmentService, {
          applyCommitments: (request) => {
            if (this.refusal !== undefined) throw this.refusal;
            const repeatedRequest = this.applies.some(({ requestId }) => requestId === request.requestId);
            this.applies.push(request);
            return { revision: 3n, repeatedRequest };
          },
        }),
      ),
    ),
    sales: createClient(
      SaleService,
      createRouterTransport(({ service }) =>
        service(SaleService, {
          getSale: ({ saleUuid }) => {
            if (saleUuid !== this.sale.uuid) throw new ConnectError("no such sale", Code.NotFound);
            return { sale: this.sale };
          },
          listSaleOverviews: ({ saleUuids }) => {
            this.overviews.push(saleUuids);
            if (this.overviewFailure !== undefined) throw this.overviewFailure;
            const found = [this.sale, ...this.others].filter(({ uuid }) => saleUuids.includes(uuid));
            return { overviews: found.map((sale) => ({ sale, ...this.figures })) };
          },
          previewSale: () => this.#preview(),
          updateSale: (request) => {
            if (this.refusal !== undefined) throw this.refusal;
            this.updates.push(request);
            return { sale: this.sale };
          },
          setSaleLogo: ({ image }) => {
            if (this.refusal !== undefined) throw this.refusal;
            this.logos.push(image);
            return { sale: this.sale };
          },
        }),
      ),
    ),
  };

  /** Returns what the public would read of the sale, an auction to which nobody has committed. */
  #preview(): MessageInitShape<typeof PreviewSaleResponseSchema> {
    const { definition, tenancy } = this.sale;
    const { name = "", paymentTokens = [], presentation } = definition ?? {};
    const price = { numerator: "10", denominator: "100000000000000" };
    const decimals = { paymentTokenDecimals: 6, offeredTokenDecimals: 18 };
    const terms = { auction: { offeredAmount: "1000", floorPrice: price }, paymentTokens, ...decimals };
    const said = { name, tenancy, status: SaleStatus.OPEN, amountsAreDollars: true, paymentSymbol: "USDC" };
    return {
      data: { totalAmount: "0", ...decimals, clearingPrice: { price } },
      sale: { ...said, ...terms, ...(presentation && { presentation }) },
    };
  }
}
