import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { OTHER_SALE, SALE, saleAt } from "../../testing/fake-commitments.ts";
import { gatewayParts } from "../../testing/gateway-parts.ts";

describe("CommitmentsUpstream", () => {
  it("logs once a sale that an answer exceeds a bound, and anew after it has been read", async () => {
    const { logger, lines } = captureLog();
    const { upstream, fake } = gatewayParts({}, logger);
    fake.sales.set(OTHER_SALE, saleAt(1n));
    const refused = (sale: string) =>
      expect(upstream.load(sale, undefined)).rejects.toMatchObject({ code: "unavailable", status: 503 });
    fake.fail(Code.ResourceExhausted);
    for (const sale of [SALE, SALE, OTHER_SALE]) await refused(sale);
    expect(lines).toMatchObject([{ level: "error", saleUuid: SALE }, { saleUuid: OTHER_SALE }]);
    fake.recover();
    await upstream.load(SALE, undefined);
    fake.fail(Code.ResourceExhausted);
    for (const sale of [SALE, OTHER_SALE]) await refused(sale);
    expect(lines.map(({ saleUuid }) => saleUuid)).toStrictEqual([SALE, OTHER_SALE, SALE]);
  });

  it("logs no outage, which the refresher does", async () => {
    const { logger, lines } = captureLog();
    const { upstream, fake } = gatewayParts({}, logger);
    fake.fail(Code.Unavailable);
    await expect(upstream.load(SALE, undefined)).rejects.toMatchObject({ code: "unavailable" });
    expect(lines).toStrictEqual([]);
  });
});
