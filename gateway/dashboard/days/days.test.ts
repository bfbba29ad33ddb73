import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DaySignInsSchema } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { FailureReason } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { FounderSite } from "../../testing/founder-site.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import { storePermits } from "../../testing/taking-part.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { DAY_MS } from "./day-series.ts";

const { days: page } = salePaths(SALE);
const AWAY = new ConnectError("the service is away", Code.Unavailable);

let site: FounderSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await FounderSite.start();
  browser = site.browser();
  await site.open();
});
afterEach(() => site.stop());

const dayText = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const rowOf = (html: string, day: string) =>
  textOf(html.split(`<th scope="row">${day}</th>`)[1]?.split("</tr>")[0] ?? "");

/** Has the services answer with figures, sign-ins and permits of yesterday and today. */
async function someDays(): Promise<void> {
  const { sales, auth, entities } = site.gateway;
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
  await storePermits(site.gateway, [{}, {}, {}]);
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

describe("the charts of a sale", () => {
  it("show what each day brought, as bars and as a table", async () => {
    await someDays();
    const { html, status } = await browser.open(page);
    expect(status).toBe(200);
    expect(rowOf(html, dayText(1))).toBe(" $2,500.00 40 1,203 0 0 7 ");
    expect(rowOf(html, dayText(0))).toBe(" $12,500.00 12 0 2 3 1 ");
    expect(rowOf(html, dayText(29))).toBe(" $0 0 0 0 0 0 ");
    expect(html.match(/<svg /g)).toHaveLength(6);
    const text = textOf(html);
    expect(text).toContain("The highest bar is 1,203.");
    expect(text).toContain("Sign-ins 1,203 New entities 2 Permits 3 New commitments 52");
    expect(text).toContain("Checked 11 In review 5");
    expect(text).toContain("The wallet wasn’t linked 6 The wallet is denied, or can’t be screened 2");
    expect(site.gateway.sales.faults.asked(CommitmentService.method.getHistory.name)).toMatchObject([
      { saleUuid: SALE },
    ]);
  });

  it("say that a sale had nothing yet, and ask for no history of one that was never read", async () => {
    const { html } = await browser.open(page);
    expect(textOf(html).match(/None in the last 30 days\./g)).toHaveLength(7);
    expect(textOf(html)).toContain("None yet.");
    expect(site.gateway.sales.faults.asked("GetHistory")).toEqual([]);
  });

  it("are there while services don’t answer, and say which numbers aren’t known", async () => {
    await someDays();
    site.gateway.auth.faults.failures.set("CountSignIns", AWAY);
    for (const method of ["CountPermits", "CountSaleDays"]) site.gateway.entities.faults.failures.set(method, AWAY);
    const { html, status } = await browser.open(page);
    expect(status).toBe(200);
    expect(rowOf(html, dayText(0))).toBe(" $12,500.00 12 — — — — ");
    expect(textOf(html).match(/Not known now\./g)).toHaveLength(6);
  });
});
