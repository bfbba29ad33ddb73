import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, describe, expect, it } from "vitest";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { CheckSourceResponseSchema } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { seedClient } from "../../../services/auth/testing/application.ts";
import { sampleClient, sampleDefinition } from "../../../services/auth/testing/sample-application.ts";
import { harbourPortal } from "../../testing/auth-gateway.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { FounderSite } from "../../testing/founder-site.ts";
import { scriptedIndexer } from "../../testing/scripted-indexer.ts";
import type { IndexerClient } from "../base/dashboard-dependencies.ts";
import { applicationPaths, salePaths, takingPartPaths } from "../base/dashboard-paths.ts";

const CLIENT = "33333333-3333-4333-8333-333333333333";
const paths = salePaths(SALE);
const application = applicationPaths(SALE, CLIENT);
const READABLE = scriptedIndexer({ readable: true });
/** The pages of a draft that don't show the whole list. */
const OTHERS = [
  paths.settings,
  paths.presentation,
  paths.contract,
  paths.applications,
  paths.newApplication,
  application.application,
  application.security,
  paths.members,
  paths.log,
  paths.downloads,
  paths.developers,
  paths.webhooks,
  paths.remove,
  ...Object.values(takingPartPaths(SALE)).filter((path) => !/csv$|(import|remove|change|lift)$/.test(path)),
];

let site: FounderSite;
afterEach(() => site.stop());

/** Stores an application that lacks its wide logo. */
async function addIncomplete(): Promise<void> {
  const { wideLogo: _, ...client } = sampleClient({
    uuid: CLIENT,
    saleUuid: SALE,
    definition: sampleDefinition({ name: "Portal" }),
  });
  await seedClient(site.gateway.auth.people.context.database, client);
}

/** Returns the bar of a page, without tags; undefined where there is none. */
function barOf(html: string): string | undefined {
  const [bar] = /<(section|p) class="checklist-bar".*?<\/\1>/s.exec(html) ?? [];
  return bar
    ?.replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Returns how much of the list a page says is done. */
function doneOf(html: string): string | undefined {
  return /Done: \d+ of \d+/.exec(html)?.[0];
}

describe("the checklist on a draft's other pages", () => {
  it("is the sale's own, with the next step, on each of them once", async () => {
    site = await FounderSite.start(undefined, {}, READABLE);
    await addIncomplete();
    const browser = site.browser();
    const { html: whole } = await browser.open(paths.sale);
    expect(doneOf(whole)).toBe("Done: 8 of 10");
    for (const path of OTHERS) {
      const { html, status } = await browser.open(path);
      expect([path, status, doneOf(html)]).toEqual([path, 200, doneOf(whole)]);
      expect(html.match(/class="checklist-bar"/g), path).toHaveLength(1);
      expect(barOf(html), path).toContain("Next: Upload a wide logo");
      expect(barOf(html), path).toContain("waits for the step above");
    }
    for (const path of [paths.sale, paths.open]) expect(barOf((await browser.open(path)).html)).toBeUndefined();
  });

  it("marks the step that is done on the present page, in the line and in the list", async () => {
    site = await FounderSite.start(undefined, {}, READABLE);
    await addIncomplete();
    const browser = site.browser();
    const { html } = await browser.open(application.application);
    expect(html.match(/on this page/g)).toHaveLength(2);
    expect(html.match(/aria-current="step"/g)).toHaveLength(1);
    expect((await browser.open(paths.log)).html).not.toContain("on this page");
  });

  it("leads to the opening once nothing is missing, and is gone then", async () => {
    site = await FounderSite.start(undefined, {}, READABLE);
    await harbourPortal(site.gateway.auth);
    const browser = site.browser();
    const { html } = await browser.open(paths.log);
    expect(barOf(html)).toContain("It can open");
    expect(barOf(html)).toContain("Next: Open the sale…");
    const { sales } = site.gateway.sales.as("operator");
    await sales.openSale({ saleUuid: SALE, overrideConfirmName: "Harbour Token" });
    expect(barOf((await browser.open(paths.log)).html)).toBeUndefined();
  });

  it("names the first step that the reader may do", async () => {
    site = await FounderSite.start(undefined, {}, scriptedIndexer({ readable: false, problems: ["nothing is there"] }));
    await site.setRole(Role.VIEWER);
    const { html } = await site.browser().open(paths.log);
    expect(barOf(html)).toContain("An editor or owner of the sale can do it.");
    expect(barOf(html)).toContain("Next: Add an application");
    expect(html).not.toContain("Next: <a");
  });

  it("checks the contract no more than once for all of them, and again for the sale's page", async () => {
    let checks = 0;
    const checkSource = async () => {
      checks += 1;
      return create(CheckSourceResponseSchema, { readable: true });
    };
    site = await FounderSite.start(undefined, {}, { ...READABLE, checkSource } as IndexerClient);
    const browser = site.browser();
    for (const path of [paths.log, paths.members, paths.log]) await browser.open(path);
    expect(checks).toBe(1);
    await browser.open(paths.sale);
    expect(checks).toBe(2);
  });

  it("doesn't keep a page waiting for a service that hangs, and says nothing that isn't known", async () => {
    const checkSource = () => new Promise<never>(() => {});
    site = await FounderSite.start(undefined, {}, { ...READABLE, checkSource } as IndexerClient);
    const { html } = await site.browser().open(paths.log);
    expect(barOf(html)).toBe("Before it can open");
    expect(html).toContain(`<p class="checklist-bar"><a href="${paths.sale}">`);
  });

  it("says that applications aren't known where they aren't", async () => {
    site = await FounderSite.start(undefined, {}, READABLE);
    const { failures } = site.gateway.auth.faults;
    failures.set("ListClients", new ConnectError("away", Code.Unavailable));
    const { html } = await site.browser().open(paths.log);
    expect(barOf(html)).toContain("Its applications aren’t known now.");
  });
});
