import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { DaySignInsSchema } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import {
  FeedFault,
  FeedStateSchema,
  type Sale,
  SourceStatusSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { seedClient } from "../../../services/auth/testing/application.ts";
import { sampleClient, sampleDefinition } from "../../../services/auth/testing/sample-application.ts";
import { USER } from "../../../test/support/processes/auth-in-process.ts";
import { harbourPortal } from "../../testing/auth-gateway.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { FounderSite, harbourAuction } from "../../testing/founder-site.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import { scriptedIndexer } from "../../testing/scripted-indexer.ts";
import { showFigures } from "../../testing/show-figures.ts";
import { activateNewKey, boundedGroup, setRules, TAKING_PART } from "../../testing/taking-part.ts";
import { englishOn } from "../../testing/text-leaves.ts";
import { DE } from "../../web/texts/de.ts";
import { EN } from "../../web/texts/en.ts";
import { REVIEWS_PATH, salePaths } from "../base/dashboard-paths.ts";

const LIST = "/dashboard";
const CLIENT = "33333333-3333-4333-8333-333333333333";
const { sale: page, newApplication, settings } = salePaths(SALE);
const AWAY = new ConnectError("the service is away", Code.Unavailable);
const DAY_MS = 86_400_000;
const HOSTILE = `"><script>alert(1)</script>`;

let site: FounderSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await FounderSite.start();
  browser = site.browser();
});
afterEach(() => site.stop());

/** Stores an application of the sale, complete unless it has no wide logo. */
async function addApplication({ name = "Portal", hasWideLogo = true } = {}): Promise<void> {
  const { database } = site.gateway.auth.people.context;
  const given = { uuid: CLIENT, saleUuid: SALE, definition: sampleDefinition({ name }) };
  const { wideLogo = "", ...client } = sampleClient(given);
  await seedClient(database, { ...client, ...(hasWideLogo && { wideLogo }) });
}

/** Opens the sale, which has figures of now and of a day ago then. */
async function open(change: Partial<Sale> = {}): Promise<void> {
  await site.open();
  showFigures(site, change);
}

/** Has people take part in the open sale. */
async function takePart(): Promise<void> {
  await activateNewKey(site.gateway);
  await setRules(site.gateway, { enabled: true, groups: [boundedGroup()] });
}

/** Lets auth answer with sign-ins of the last days. */
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
    const { html } = await browser.open(LIST);
    expect(html).toContain(`Next: <a href="${newApplication}">Add an application</a>`);
    expect(textOf(html)).toContain("Applications 0");
    expect(textOf(html)).not.toContain("Sign-ins");
  });

  it("shows figures, trend, feed, applications, sign-ins and permits of an open sale", async () => {
    await open();
    await addApplication({ hasWideLogo: false });
    signIns([0, 3n], [6, 1_200n], [7, 10n]);
    await takePart();
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
    const uuidOf = (number: number) => `44444444-4444-4444-8444-${String(number).padStart(12, "0")}`;
    const others = Array.from({ length: 19 }, (_, number) => uuidOf(number));
    for (const saleUuid of others) await site.addSale(saleUuid);
    const uuids = [SALE, ...others];
    const { html } = await browser.open(LIST);
    expect(html.match(/class="sale-name"/g)).toHaveLength(20);
    expect(site.gateway.sales.faults.asked("ListSaleOverviews")).toMatchObject([{ saleUuids: uuids }]);
    for (const method of ["ListClientSummaries", "CountSignIns"]) {
      expect(site.gateway.auth.faults.asked(method)).toMatchObject([{ saleUuids: uuids }]);
    }
    expect(site.gateway.entities.faults.asked("ListPermitSummaries")).toMatchObject([{ saleUuids: uuids }]);
    expect(html).not.toContain("More sales");
    await site.addSale(uuidOf(others.length));
    const [, next = ""] = /<a [^>]*href="([^"]+)">More sales<\/a>/.exec((await browser.open(LIST)).html) ?? [];
    expect((await browser.open(next)).html.match(/class="sale-name"/g)).toHaveLength(1);
  });

  it("shows reviewers the way to the reviews", async () => {
    const link = `You review identities here. <a href="${REVIEWS_PATH}">Who waits for a review</a>`;
    expect((await browser.open(LIST)).html).not.toContain(link);
    const other = await FounderSite.start(undefined, { REVIEWERS: USER });
    onTestFinished(() => other.stop());
    expect((await other.browser().open(LIST)).html).toContain(link);
  });

  it("shows everything else while one service doesn't answer", async () => {
    await open();
    for (const method of ["ListClientSummaries", "CountSignIns"]) site.gateway.auth.faults.failures.set(method, AWAY);
    site.gateway.entities.faults.failures.set("ListPermitSummaries", AWAY);
    const { status, html } = await browser.open(LIST);
    const text = textOf(html).replaceAll("\u00a0", " ");
    expect(status).toBe(200);
    for (const name of ["Applications", "Sign-ins in 7 days", "Permits issued"]) {
      expect(text).toContain(`${name} — not known now`);
    }
    expect(text).toContain("Committed $12,500.00");
    site.gateway.sales.faults.failures.set("ListSaleOverviews", AWAY);
    const unnamed = await browser.open(LIST);
    expect(unnamed.status).toBe(200);
    expect(unnamed.html).toContain(`href="${page}">${SALE}</a>`);
    expect(unnamed.html).toContain("Its name and figures aren’t known now.");
  });

  it("leaves out a sale whose creation failed, and shows names as they are", async () => {
    const { auth, sales } = site.gateway;
    // The service stores no such name.
    sales.faults.edit(SaleService.method.listSaleOverviews, ({ overviews }) => {
      for (const { sale } of overviews) if (sale?.definition !== undefined) sale.definition.name = HOSTILE;
    });
    const saleUuid = "55555555-5555-4555-8555-555555555555";
    // Only auth knows it.
    auth.sales.set(saleUuid, { name: "Failed" });
    await site.setRole(Role.OWNER, { saleUuid });
    const { html } = await browser.open(LIST);
    expect(html.match(/class="sale-name"/g)).toHaveLength(1);
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("<script>alert");
  });
});

describe("the page of a sale", () => {
  it("lists what a draft lacks, what is done and what else would help", async () => {
    await addApplication({ name: HOSTILE, hasWideLogo: false });
    const { html } = await browser.open(page);
    expect(html).toContain("Before it can open");
    expect(html).toContain(`<a href="${page}/applications/${CLIENT}#logos">Upload a wide logo</a>`);
    expect(textOf(html)).toContain("Also worth doing Tell people about the sale");
    expect(html).not.toContain("<script>alert");
  });

  it("folds what is set, and what people read", async () => {
    const text = textOf((await browser.open(page)).html);
    expect(text).toContain("What is set Settings");
    expect(text).toContain(
      "Change settings What people read Nothing yet but its name and figures. Change what people read",
    );
  });

  it("says that nothing is missing of a draft with a complete application", async () => {
    await addApplication();
    const ready = textOf((await browser.open(page)).html);
    expect(ready).toContain("✓ There is an application: Portal ✓ It is enabled");
    expect(ready).toContain("✓ It has a wide logo");
    expect(ready).toContain(
      "Open the sale… Whether its contract can be read isn’t known now; nothing else is missing.",
    );
  });

  it.each([
    [true, "It can open", "It can open Open the sale… Nothing is missing."],
    [false, "Before it can open", "Set the right contract"],
  ])(
    "has one list for its steps and its button, by the check of its contract (readable: %s)",
    async (readable, title, step) => {
      const other = await FounderSite.start(undefined, {}, scriptedIndexer({ readable }));
      onTestFinished(() => other.stop());
      await harbourPortal(other.gateway.auth);
      const { html } = await other.browser().open(page);
      expect(textOf(html)).toContain(title);
      expect(textOf(html)).toContain(step);
      const button = /<a class="button primary fit" href="([^"]+)">/.exec(html)?.[1];
      expect(button).toBe(readable ? `${page}/open` : `${page}/settings#address`);
      expect(textOf((await other.browser().open(LIST)).html)).toContain("See whether it can open");
    },
  );

  it("shows figures and trend of an open sale, and what its feed wants", async () => {
    await open({ feedState: create(FeedStateSchema, { fault: FeedFault.NO_INDEXER }) });
    const { html } = await browser.open(page);
    const text = textOf(html).replaceAll("\u00a0", " ");
    expect(text).toContain("Committed $12,500.00 +$10,000.00");
    expect(text).toContain("Stands still: nobody reads the contract");
    expect(html).toContain(`<a href="${page}/contract">Tell the operator that nobody reads the contract</a>`);
  });

  it("asks whether the contract knows the signer where permits are signed", async () => {
    await open();
    await browser.open(page);
    expect(site.gateway.entities.faults.asked("ListKeys")).toEqual([]);
    await takePart();
    const { html } = await browser.open(page);
    expect(html).toContain(`<a href="${TAKING_PART.signer}">Make the signer known to the contract</a>`);
    site.gateway.entities.contract.accepted = true;
    expect((await browser.open(page)).html).not.toContain("Make the signer known");
  });

  it("tells a viewer who can do what", async () => {
    await site.setRole(Role.VIEWER);
    await open({ feedState: create(FeedStateSchema, { fault: FeedFault.UNREADABLE }), hasSnapshot: false });
    const { html } = await browser.open(page);
    expect(html).not.toContain(settings);
    expect(textOf(html)).toContain(
      "Set the right contract The contract can’t be read at the moment. An owner of the sale can do it.",
    );
    expect(textOf(html)).toContain("An editor or owner of the sale can do it.");
  });

  it("shows everything else while one service doesn't answer", async () => {
    await open();
    for (const method of ["ListClients", "CountSignIns"]) site.gateway.auth.faults.failures.set(method, AWAY);
    site.gateway.entities.faults.failures.set("ListPermitSummaries", AWAY);
    site.gateway.sales.faults.failures.set("ListSaleOverviews", AWAY);
    const { status, html } = await browser.open(page);
    const text = textOf(html);
    expect(status).toBe(200);
    expect(text).toContain("Figures — not known now");
    expect(text).toContain("They aren’t known now. Please reload the page in a moment.");
    expect(text).toContain("Sign-ins in 7 days — not known now");
    expect(text).toContain("Permits issued — not known now");
  });

  it("says that the applications of a draft aren't known while auth doesn't answer", async () => {
    site.gateway.auth.faults.failures.set("ListClients", AWAY);
    expect(textOf((await browser.open(page)).html)).toContain("Its applications aren’t known now.");
  });

  it("has no figures before its contract was read", async () => {
    await site.open();
    expect(textOf((await browser.open(page)).html)).toContain("There are none yet. The contract hasn’t been read yet");
  });
});

describe("in German", () => {
  beforeEach(() => void browser.cookies.set("tidemark-language", "de"));

  it("the list and the page of a sale have its numbers", async () => {
    await open();
    await addApplication({ hasWideLogo: false });
    signIns([0, 3n], [6, 1_200n], [7, 10n]);
    await takePart();
    const [list = "", sale = ""] = await Promise.all([LIST, page].map(async (path) => (await browser.open(path)).html));
    const shared = [
      "Zugesagt 12.500,00 $ +10.000,00 $",
      "Zusagen 1.042 +42",
      "Clearing-Preis je Token 0,25 $",
      "Änderungen seit 24.11.2026, 16:00 UTC.",
      "Der Contract wurde noch nicht gelesen",
      "Anwendungen 2 eine hat kein breites Logo",
      "Anmeldungen in 7 Tagen 1.203 3 heute, 1.213 in 30 Tagen",
      "Erteilte Kauffreigaben 0 0 in 24 Stunden",
    ];
    for (const html of [list, sale]) {
      const text = textOf(html).replaceAll("\u00a0", " ");
      for (const shown of shared) expect(text).toContain(shown);
      expect(englishOn(html, EN, DE)).toStrictEqual([]);
    }
    expect(textOf(list)).toContain("Als Nächstes: Mehr über den Verkauf sagen");
    expect(textOf(sale)).toContain("Die Anwendung hat kein breites Logo.");
  });

  it("the page of a draft says what is missing and what people read", async () => {
    await addApplication({ hasWideLogo: false });
    const presentation = { listed: true, totalSupply: `1234500${"0".repeat(17)}`, website: "https://sale.example" };
    await site.redefine(harbourAuction({ presentation, offeredTokenDecimals: 18 }));
    const { html } = await browser.open(page);
    const text = textOf(html);
    for (const shown of [
      "Breites Logo hochladen",
      "Verkauf öffnen , wartet auf den Schritt darüber",
      "Erledigt: 7 von 9",
      "Interessenten suchen eine Beschreibung, einen Kontakt, ein Logo, den Beginn und das Ende.",
      "„Teilnehmer sehen“ ist nötig",
      "Ihre Website https://sale.example",
      "Ja",
    ]) {
      expect(text).toContain(shown);
    }
    expect(englishOn(html, EN, DE)).toStrictEqual([]);
  });

  it("what a service says is marked as English", async () => {
    const sourceStatus = create(SourceStatusSchema, { fault: "no node answers" });
    await open({ feedState: create(FeedStateSchema, { fault: FeedFault.UNREADABLE }), sourceStatus });
    const { html } = await browser.open(page);
    expect(html).toContain("Nachsehen, warum der Contract nicht lesbar ist");
    expect(html).toContain('<p class="quiet"><span lang="en" dir="ltr">No node answers.</span></p>');
  });
});
