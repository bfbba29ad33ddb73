import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import {
  ExportCommitmentsResponseSchema,
  GetCommitmentDataResponseSchema,
} from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStatus } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { GetSaleResponseSchema } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { amountOf, auction, record } from "../../test/support/sales/sale-messages.ts";
import { readSettlementBook, type SettlementServices } from "./read-settlement-book.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const { signal } = new AbortController();

/** A settled sale that isn't read from a contract, with two commitments of two amounts and one that doesn't count. */
function services(revisions: readonly bigint[] = [7n]): SettlementServices {
  const left = [...revisions];
  const at = { generation: 1n, revision: 7n };
  const sale = { ...at, uuid: SALE, status: SaleStatus.SETTLED, hasSnapshot: true };
  const amounts = [amountOf(1n), amountOf(2n)];
  const commitments = [1, 2, 3].map((number) => ({ record: record(number, { amounts }), active: number < 3 }));
  const header = { ...at, commitmentCount: 3n, definition: auction() };
  return {
    sales: { getSale: async () => create(GetSaleResponseSchema, { sale }) },
    commitments: {
      getCommitmentData: async () => {
        const revision = left.length > 1 ? left.shift() : left[0];
        return create(GetCommitmentDataResponseSchema, {
          ...at,
          revision: revision ?? 0n,
          data: { commitmentCount: 2n },
        });
      },
      async *exportCommitments() {
        yield create(ExportCommitmentsResponseSchema, { part: { case: "header", value: header } });
        yield create(ExportCommitmentsResponseSchema, { part: { case: "commitments", value: { commitments } } });
      },
    },
  };
}

it("has the commitments that count, of one revision, however often the sale has changed before", async () => {
  const read = await readSettlementBook(SALE, services([6n, 8n, 7n]), { signal });
  expect(read).toMatchObject({ book: { input: { revision: 7n }, commitments: [{ amounts: [{}, {}] }, {}] } });
  expect(await readSettlementBook(SALE, services([8n]), { signal })).toEqual({ reason: "changes" });
});

it("isn't read where it has more commitments, or more amounts, than somebody wants", async () => {
  const reason = async (maxAmounts: number) => {
    const read = await readSettlementBook(SALE, services(), { signal, maxAmounts });
    return "reason" in read ? read.reason : undefined;
  };
  expect([await reason(4), await reason(3), await reason(2), await reason(1)]).toEqual([
    undefined,
    ...["too large", "too large", "too large"],
  ]);
});
