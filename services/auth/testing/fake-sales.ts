import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { GetSaleResponseSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { AuthContext } from "../base/context.ts";

export interface FakeSale {
  readonly name?: string;
  /** Draft by default. */
  readonly status?: SaleStatus;
  /** Test by default. */
  readonly tenancy?: Tenancy;
  readonly ownerAccountUuid?: string;
}

/** A commitments service with the sales that a test adds and changes. */
export class FakeSales {
  readonly #sales = new Map<string, FakeSale>();
  /** The code with which all calls fail; undefined for a working service. */
  failure: Code | undefined;
  /** Sales for which all calls fail. */
  readonly failing = new Set<string>();
  /** Answers for the sales that weren't added here; undefined if there are no others. */
  source: AuthContext["sales"]["getSale"] | undefined;
  /** The number of calls. */
  asked = 0;

  set(uuid: string, sale: FakeSale): void {
    this.#sales.set(uuid, { ...this.#sales.get(uuid), ...sale });
  }

  delete(uuid: string): void {
    this.#sales.delete(uuid);
  }

  readonly getSale: AuthContext["sales"]["getSale"] = async (request) => {
    const { saleUuid: uuid = "" } = request;
    this.asked += 1;
    if (this.failure !== undefined) throw new ConnectError("the commitments service fails", this.failure);
    if (this.failing.has(uuid)) throw new ConnectError("the commitments service fails", Code.Internal);
    const sale = this.#sales.get(uuid);
    if (sale === undefined && this.source !== undefined) return this.source(request);
    if (sale === undefined) throw new ConnectError(`there is no sale ${uuid}`, Code.NotFound);
    const { name = "Sale", status = SaleStatus.DRAFT, tenancy = Tenancy.TEST, ownerAccountUuid = "" } = sale;
    return create(GetSaleResponseSchema, { sale: { uuid, status, tenancy, ownerAccountUuid, definition: { name } } });
  };
}
