import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, describe, expect, it } from "vitest";
import { seedClient } from "../../../services/auth/testing/application.ts";
import { sampleClient, sampleDefinition } from "../../../services/auth/testing/sample-application.ts";
import { harbourPortal } from "../../testing/auth-gateway.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { FounderSite, harbourAuction } from "../../testing/founder-site.ts";
import { type ScriptedCheck, scriptedIndexer } from "../../testing/scripted-indexer.ts";
import { activateNewKey, boundedGroup, setRules } from "../../testing/taking-part.ts";
import { salePaths } from "../base/dashboard-paths.ts";

const { sale: page, open } = salePaths(SALE);
const READABLE = { readable: true };
const UNREADABLE = { readable: false, problems: ["nothing is there"] };

let site: FounderSite;
afterEach(() => site.stop());

type Step = (site: FounderSite) => Promise<unknown>;

const application: Step = ({ gateway }) => harbourPortal(gateway.auth);
const incomplete: Step = async ({ gateway }) => {
  const given = { uuid: "33333333-3333-4333-8333-333333333333", saleUuid: SALE, definition: sampleDefinition({}) };
  const { wideLogo: _, ...client } = sampleClient(given);
  await seedClient(gateway.auth.people.context.database, client);
};
const unknownSigner: Step = async ({ gateway }) => {
  await activateNewKey(gateway);
  await setRules(gateway, { enabled: true, groups: [boundedGroup()] });
};

/** Returns the list of what is missing and the ticks of a page, without what it says of the reason. */
function listOf(html: string): readonly string[] {
  const items = html.matchAll(/<ol class="next">.*?<\/ol>|<ul class="checklist">.*?<\/ul>/gs);
  const [missing = "", ticks = ""] = Array.from(items, ([list]) => list).filter(
    (list) => !list.includes("presentation"),
  );
  return [missing, ticks];
}

describe("the check before a sale opens", () => {
  it.each<[string, ScriptedCheck, readonly Step[], string | undefined]>([
    ["an application", READABLE, [], "Add an application"],
    ["a logo", READABLE, [incomplete], "Upload a wide logo"],
    ["a logo, of the application that lacks least", READABLE, [incomplete, application], undefined],
    ["a signer that its contract knows", READABLE, [application, unknownSigner], "Make the signer known"],
    ["a contract and an application", UNREADABLE, [], "Set the right contract"],
    ["nothing", READABLE, [application], undefined],
  ])("has the list of the sale's page, for a draft that lacks %s", async (_, check, steps, text) => {
    site = await FounderSite.start(undefined, {}, scriptedIndexer(check));
    for (const step of steps) await step(site);
    const browser = site.browser();
    const [onSale, before] = [(await browser.open(page)).html, (await browser.open(open)).html];
    if (text !== undefined) {
      expect(listOf(before)).toEqual(listOf(onSale));
      expect(before).toContain(text);
    }
    const ticks = /<ul class="checklist">.*?<\/ul>/s;
    expect(ticks.exec(before)?.[0]).toBe(ticks.exec(onSale)?.[0]);
    expect(before.includes("It can’t open yet:")).toBe(text !== undefined);
    expect(before.includes(`action="${open}"`)).toBe(text === undefined);
  });

  it.each<ScriptedCheck>([UNREADABLE, "away"])("lets an owner open it whatever the check says (%j)", async (check) => {
    site = await FounderSite.start(undefined, {}, scriptedIndexer(check));
    await application(site);
    const { html } = await site.browser().open(open);
    expect(html).toContain("Open it anyway");
    expect(html.includes("Set the right contract")).toBe(check !== "away");
  });

  it("shows what can't change any more, and whether its tokens count as dollars", async () => {
    site = await FounderSite.start(undefined, {}, scriptedIndexer(READABLE));
    await application(site);
    const counted = await site.browser().open(open);
    expect(counted.html).toContain("6 decimals, a dollar stablecoin");
    const { paymentTokens = [], ...auction } = harbourAuction();
    await site.redefine({
      ...auction,
      paymentTokens: paymentTokens.map((token) => ({ ...token, usdStablecoin: false })),
    });
    const { html } = await site.browser().open(open);
    expect(html).toContain("6 decimals, not counted as a dollar");
    expect(html).toContain("read from 0x");
  });

  it("says what the entities service would refuse", async () => {
    site = await FounderSite.start(undefined, {}, scriptedIndexer(READABLE));
    const { gateway } = site;
    gateway.entities.contract.accepted = undefined;
    gateway.entities.contract.problem = "the node is away";
    await unknownSigner(site);
    await application(site);
    const { html } = await site.browser().open(open);
    expect(html).toContain("It can’t open yet:");
    expect(html).toContain("See why the contract can’t be asked about permits");
    expect(html).toContain("The node is away.");
  });

  it("doesn’t say that it can’t open where its applications aren’t known", async () => {
    site = await FounderSite.start(undefined, {}, scriptedIndexer(READABLE));
    const { failures } = site.gateway.auth.faults;
    failures.set("ListClients", new ConnectError("away", Code.Unavailable));
    const { html } = await site.browser().open(open);
    expect(html).toContain("Whether it can open isn’t known now.");
    expect(html).toContain("Its applications aren’t known now.");
    expect(html).not.toContain("It can’t open yet");
  });

  it("offers a way past a refusal of the check alone", async () => {
    site = await FounderSite.start(undefined, {}, scriptedIndexer(READABLE));
    await application(site);
    const browser = site.browser();
    const refused = async () => (await browser.send(await browser.open(open), { action: open })).html;
    // The commitments service has no indexer here: its check refuses what the gateway's finds readable.
    const byCheck = await refused();
    expect(byCheck).toContain("Contracts can&#39;t be checked here");
    expect(byCheck).toContain("Open it anyway");
    site.gateway.sales.faults.failures.set("OpenSale", new ConnectError("rules", Code.FailedPrecondition));
    const otherwise = await refused();
    expect(otherwise).toContain("Rules.");
    expect(otherwise).toContain("Open the sale</button>");
    expect(otherwise).not.toContain("Open it anyway");
  });
});
