import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { FounderSite } from "../../testing/founder-site.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import { someDays } from "../../testing/some-days.ts";
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

describe("the charts of a sale", () => {
  it("show what each day brought, as bars and as a table", async () => {
    await someDays(site);
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
    await someDays(site);
    site.gateway.auth.faults.failures.set("CountSignIns", AWAY);
    for (const method of ["CountPermits", "CountSaleDays"]) site.gateway.entities.faults.failures.set(method, AWAY);
    const { html, status } = await browser.open(page);
    expect(status).toBe(200);
    expect(rowOf(html, dayText(0))).toBe(" $12,500.00 12 — — — — ");
    expect(textOf(html).match(/Not known now\./g)).toHaveLength(6);
  });
});
