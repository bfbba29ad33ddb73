import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { callerInterceptor } from "../../../common/platform/rpc/identity/caller-token.ts";
import { transports } from "../../../common/platform/rpc/testing/test-server.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { amountOf, apply, openedSale, record, violatedFields } from "../../support/sales/sale-messages.ts";

describeCommitments("the commitments service", (service) => {
  it.each(transports)("speaks $name", async ({ create }) => {
    const { url, credentials } = service();
    const transport = create(url, [callerInterceptor(credentials.operator)]);
    const clients = {
      sales: createClient(SaleService, transport),
      commitments: createClient(CommitmentService, transport),
    };
    const largest = 2n ** 64n - 1n;
    const saleUuid = await openedSale(clients);
    await apply(clients, saleUuid, { upserts: [record(1, { priceTicks: String(largest) })] });
    expect(await clients.commitments.getCommitmentData({ saleUuid })).toMatchObject({
      revision: 3n,
      data: { totalAmount: "1000", commitments: [{ price: { numerator: largest.toString() } }] },
    });
    const wrong = apply(clients, saleUuid, { upserts: [record(2, { amounts: [amountOf("-1")] })] });
    expect(await violatedFields(wrong)).toEqual(["upserts[0].amounts[0].amount"]);
  });

  it.each(transports)("refuses strangers over $name", async ({ create }) => {
    const commitments = createClient(CommitmentService, create(service().url, []));
    const error = await commitments.getRevisions({ saleUuids: [] }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectError);
    expect(error).toMatchObject({ code: Code.Unauthenticated });
  });
});
