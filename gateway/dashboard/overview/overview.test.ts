import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Client, ClientSchema, DaySignInsSchema } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import {
  FeedFault,
  FeedStateSchema,
  type Sale,
  SaleStatus,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SaleOverviewSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { ContractKnowledge, PermitKeyStatus } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { fakeKey } from "../../testing/fake-participation.ts";
import { fakeAuction } from "../../testing/fake-sales.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import { TAKING_PART, TakingPartSite } from "../../testing/taking-part-site.ts";
import { salePaths } from "../base/dashboard-paths.ts";

const LIST = "/dashboard";
const CLIENT = "33333333-3333-4333-8333-333333333333";
const { sale: page, newApplication, settings } = salePaths(SALE);
const AWAY = new ConnectError("the service is away", Code.Unavailable);
const DAY_MS = 86_400_000;
const HOSTILE = `"><script>alert(1)</script>`;

let site: TakingPartSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await TakingPartSite.start();
  browser = site.browser();
});
afterEach(() => site.gateway.stop());

function client({ name = "Portal", obstacles = [] as string[] } = {}) {
  const openingRequirements = [{ name: "wide_logo", met: obstacles.length === 0 }];
  return create(ClientSchema, { uuid: CLIENT, saleUuid: SALE, definition: { name }, obstacles, openingRequirements });
}

/** Lets auth answer with the applications of the sale. */
function haveApplications(clients: readonly Client[]): void {
  const { answers } = site.gateway.auth.faults;
  const summaries = clients.map(({ uuid: clientUuid, definition, obstacles, openingRequirements }) => {
    return { clientUuid, name: definition?.name ?? "", obstacles, openingRequirements };
  });
  answers.set("ListClients", { clients: [...clients] });
  answers.set("ListClientSummaries", { sales: [{ saleUuid: SALE, clients: summaries }] });
}

/** Opens the sale, with figures of now and of a day ago. */
function open(change: Partial<Sale> = {}): void {
  Object.assign(site.sales.sale, { status: SaleStatus.OPEN, hasSnapshot: true, ...change });
  site.sales.figures = create(SaleOverviewSchema, {
    figures: {
      totalAmount: "12500000000",
      commitmentCount: 1_042n,
      clearingPrice: { price: { numerator: "25", denominator: `1${"0".repeat(14)}` } },
    },
    earlier: { totalAmount: "2500000000", commitmentCount: 1_000n },
    earlierAt: timestampFromMs(Date.UTC(2026, 10, 24, 16)),
  });
}

function signIns(...counts: readonly (readonly [daysAgo: number, signIns: bigint])[]): void {
  const todayMs = Date.now() - (Date.now() % DAY_MS);
  const days = counts.map(([daysAgo, count]) =>
    create(DaySignInsSchema, { day: timestampFromMs(todayMs - daysAgo * DAY_MS), signIns: count }),
  );
  site.gateway.auth.faults.answers.set("CountSignIns", { sales: [{ saleUuid: SALE, days }] });
}

const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

describe("the list of sales", () => {
  it("says of a draft what wants doing next, with a link to it", async () => {
    haveApplications([]);
    const { html } = await browser.open(LIST);
    expect(html).toContain(`Next: <a href="${newApplication}">Add an application</a>`);
    expect(textOf(html)).toContain("Applications 0");
    expect(textOf(html)).not.toContain("Sign-ins");
  });

  it("shows figures, trend, feed, applications, sign-ins and permits of an open sale", async () => {
    open();
    haveApplications([client(), client({ obstacles: ["has no wide logo"] })]);
    signIns([0, 3n], [6, 1_200n], [7, 10n]);
    site.participation.rules.enabled = true;
    site.participation.keys = [fakeKey(PermitKeyStatus.ACTIVE)];
    const text = textOf((await browser.open(LIST)).html).replaceAll("\u00a0", " ");
    for (const shown of [
      "Committed $12,500.00 +$10,000.00",
      "Commitments 1,042 +42",
      "Clearing price per token $0.25",
      "Changes since 24 Nov 2026, 16:00 UTC.",
      "The contract hasn’t been read yet",
      "Applications 2 one has no wide logo",
      "Sign-ins in 7 days 1,203 3 today, 1,213 in 30 days",
      "Permits issued 0 0 in 24 hours",
      "Next: Tell people about the sale",
    ]) {
      expect(text).toContain(shown);
    }
  });

  it("asks each service once, however many sales there are", async () => {
    const others = Array.from({ length: 19 }, (_, index) => {
      const sale = fakeAuction(`Sale ${index}`);
      sale.uuid = `44444444-4444-4444-8444-${String(index).padStart(12, "0")}`;
      return sale;
    });
    site.sales.others = others;
    const uuids = [SALE, ...others.map(({ uuid }) => uuid)];
    for (const saleUuid of uuids) await site.setRole(Role.OWNER, { saleUuid });
    const { html } = await browser.open(LIST);
    expect(html.match(/class="sale-name"/g)).toHaveLength(20);
    expect(site.sales.overviews).toEqual([uuids]);
    for (const method of ["ListClientSummaries", "CountSignIns"]) {
      expect(site.gateway.auth.faults.asked(method)).toMatchObject([{ saleUuids: uuids }]);
    }
    expect(site.participation.asked("ListPermitSummaries")).toMatchObject([{ saleUuids: uuids }]);
  });

  it("shows everything else while one service doesn't answer", async () => {
    open();
    for (const method of ["ListClientSummaries", "CountSignIns"]) site.gateway.auth.faults.failures.set(method, AWAY);
    site.participation.failures.set("ListPermitSummaries", AWAY);
    const { status, html } = await browser.open(LIST);
    const text = textOf(html).replaceAll("\u00a0", " ");
    expect(status).toBe(200);
    for (const name of ["Applications", "Sign-ins in 7 days", "Permits issued"]) {
      expect(text).toContain(`${name} — not known now`);
    }
    expect(text).toContain("Committed $12,500.00");
    site.sales.overviewFailure = AWAY;
    const unnamed = await browser.open(LIST);
    expect(unnamed.status).toBe(200);
    expect(unnamed.html).toContain(`href="${page}">${SALE}</a>`);
    expect(unnamed.html).toContain("Its name and figures aren’t known now.");
  });

  it("leaves out a sale whose creation failed, and shows names as they are", async () => {
    const { definition } = site.sales.sale;
    if (definition !== undefined) definition.name = HOSTILE;
    await site.setRole(Role.OWNER, { saleUuid: "55555555-5555-4555-8555-555555555555" });
    const { html } = await browser.open(LIST);
    expect(html.match(/class="sale-name"/g)).toHaveLength(1);
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("<script>alert");
  });
});

describe("the page of a sale", () => {
  it("lists what a draft lacks, what is done and what else would help", async () => {
    haveApplications([client({ name: HOSTILE, obstacles: ["has no wide logo"] })]);
    const { html } = await browser.open(page);
    expect(html).toContain("Before it can open");
    expect(html).toContain(`<a href="${page}/applications/${CLIENT}#logos">Upload a wide logo</a>`);
    expect(textOf(html)).toContain("Also worth doing Tell people about the sale");
    expect(html).not.toContain("<script>alert");
    haveApplications([client()]);
    const ready = textOf((await browser.open(page)).html);
    expect(ready).toContain("It can open ✓ There is an application: Portal ✓ It has a wide logo");
    expect(ready).toContain("What to do next Open the sale… Nothing is missing.");
  });

  it("shows figures and trend of an open sale, and what its feed wants", async () => {
    open({ feedState: create(FeedStateSchema, { fault: FeedFault.NO_INDEXER }) });
    const { html } = await browser.open(page);
    const text = textOf(html).replaceAll("\u00a0", " ");
    expect(text).toContain("Committed $12,500.00 +$10,000.00");
    expect(text).toContain("Stands still: nobody reads the contract");
    expect(html).toContain(`<a href="${page}/contract">Tell the operator that nobody reads the contract</a>`);
  });

  it("asks whether the contract knows the signer where permits are signed", async () => {
    open();
    await browser.open(page);
    expect(site.participation.asked("ListKeys")).toEqual([]);
    site.participation.rules.enabled = true;
    site.participation.keys = [fakeKey(PermitKeyStatus.ACTIVE)];
    const { html } = await browser.open(page);
    expect(html).toContain(`<a href="${TAKING_PART.signer}">Make the signer known to the contract</a>`);
    site.participation.keys = [{ ...fakeKey(PermitKeyStatus.ACTIVE), contract: ContractKnowledge.KNOWN }];
    expect((await browser.open(page)).html).not.toContain("Make the signer known");
  });

  it("tells a viewer who can do what", async () => {
    await site.setRole(Role.VIEWER);
    open({ feedState: create(FeedStateSchema, { fault: FeedFault.UNREADABLE }), hasSnapshot: false });
    const { html } = await browser.open(page);
    expect(html).not.toContain(settings);
    expect(textOf(html)).toContain(
      "Set the right contract The contract can’t be read at the moment. An owner of the sale can do it.",
    );
    expect(textOf(html)).toContain("An editor or owner of the sale can do it.");
  });

  it("shows everything else while one service doesn't answer", async () => {
    open();
    for (const method of ["ListClients", "CountSignIns"]) site.gateway.auth.faults.failures.set(method, AWAY);
    site.participation.failures.set("ListPermitSummaries", AWAY);
    site.sales.overviewFailure = AWAY;
    const { status, html } = await browser.open(page);
    const text = textOf(html);
    expect(status).toBe(200);
    expect(text).toContain("Figures — not known now");
    expect(text).toContain("They aren’t known now. Please reload the page in a moment.");
    expect(text).toContain("Sign-ins in 7 days — not known now");
    expect(text).toContain("Permits issued — not known now");
    site.sales.sale.status = SaleStatus.DRAFT;
    expect(textOf((await browser.open(page)).html)).toContain("Its applications aren’t known now.");
  });

  it("has no figures before its contract was read", async () => {
    Object.assign(site.sales.sale, { status: SaleStatus.OPEN });
    expect((await browser.open(page)).html).toContain("There are none yet: the contract hasn’t been read.");
  });
});
