import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { PermitKeyStatus } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { fixedPricing, MINT, USDY, usdx } from "../../../test/support/sales/sale-messages.ts";
import { SALE } from "../../testing/fake-commitments.ts";
import { FounderSite, harbourAuction } from "../../testing/founder-site.ts";
import type { PageBrowser } from "../../testing/page-browser.ts";
import { scriptedIndexer } from "../../testing/scripted-indexer.ts";
import {
  activateNewKey,
  boundedGroup,
  ENTITY_ID,
  setRules,
  storedKeys,
  storePermits,
  TAKING_PART,
} from "../../testing/taking-part.ts";

const ENTITY = `0x${hexOfBytes(ENTITY_ID)}`;
/** After it no permit of a retired key is valid. */
const OLD_PERMIT_MS = 600_000;
const DAY_MS = 86_400_000n;
const { overview, signer, freezes, liftFreeze, permits } = TAKING_PART;

let site: FounderSite;
let browser: PageBrowser;
beforeEach(async () => {
  site = await FounderSite.start(undefined, {}, scriptedIndexer({ readable: true }));
  browser = site.browser();
});
afterEach(() => site.stop());

const operator = () => site.gateway.entities.as("operator");

describe("the overview", () => {
  it("says that it is off, and what is missing", async () => {
    const { html } = await browser.open(overview);
    expect(html).toContain("No permits are issued for this sale.");
    expect(html).toContain(`<a href="${TAKING_PART.rules}">Add a group: without one nobody may take part</a>`);
    expect(html).toContain(`<a href="${signer}">Create a key, which signs permits</a>`);
    expect(html).toContain("The sale has a contract, which checks permits");
    expect(html).toContain("No permit is valid now.");
  });

  it.each([
    [{ readable: false }, "Set the right contract: the one that is set isn’t this sale’s, or can’t be read"],
    ["away" as const, "Whether the contract is this sale’s isn’t known now"],
  ])("ticks no contract that isn't this sale's, or can't be checked", async (check, text) => {
    const other = await FounderSite.start(undefined, {}, scriptedIndexer(check));
    onTestFinished(() => other.stop());
    const { html } = await other.browser().open(overview);
    expect(html).toContain(`settings">${text}</a>`);
    expect(html).not.toContain("has a contract, which checks permits");
  });

  it("says why a sale's settings allow no permits", async () => {
    await site.redefine(
      harbourAuction({
        source: { case: undefined },
        paymentTokens: [usdx, { address: USDY, decimals: 18 }],
        paymentTokenDecimals: 6,
        pricing: fixedPricing(2n ** 53n),
      }),
    );
    const { html } = await browser.open(overview);
    expect(html).toContain("Set a contract, which checks permits");
    expect(html).toContain("The payment tokens have different decimals");
    expect(html).toContain("The price is more price ticks than a permit can hold");
  });

  it("counts permits over time, and says how long they stay valid", async () => {
    const { gateway } = site;
    await setRules(gateway, { enabled: true, groups: [boundedGroup()] });
    await activateNewKey(gateway);
    gateway.entities.contract.accepted = true;
    const issuedAtMs = gateway.auth.time.now() - 5n * DAY_MS;
    await storePermits(gateway, [{}, {}, ...Array.from({ length: 1_234 }, () => ({ issuedAtMs }))]);
    const { html } = await browser.open(overview);
    expect(html).toContain("Users get permits");
    await setRules(gateway, { enabled: false, groups: [boundedGroup()] });
    expect((await browser.open(overview)).html).toContain("It can be switched on");
    expect(html).toContain("2 permits that were issued stay valid for at most ten minutes");
    expect(html).toContain("Permits by day, in the last 30 days. The highest bar is 1,234.");
    expect(html.match(/<rect /g)).toHaveLength(30);
    expect(html.match(/<tr><th scope="row">\d{4}-\d\d-\d\d<\/th><td>1,234<\/td><\/tr>/g)).toHaveLength(1);
    expect(html).toContain("from 2026-12-01 00:00 UTC until 2026-12-31 00:00 UTC");
    expect(html).toContain("100 USDC to 5,000 USDC; 0.1 USDC per token to 0.5 USDC per token");
  });

  it("leads to nothing that a viewer can't do", async () => {
    await site.setRole(Role.VIEWER);
    const { status, html } = await browser.open(overview);
    expect(status).toBe(200);
    expect(html).not.toContain(TAKING_PART.rules);
  });

  it("is found from the sale, and isn't there for strangers", async () => {
    const { html } = await browser.open(overview.replace("/taking-part", ""));
    expect(html).toContain(`href="${overview}"`);
    site.gateway.entities.faults.failures.set("GetRules", new ConnectError("no such sale", Code.NotFound));
    expect(await browser.open(overview)).toMatchObject({ status: 404 });
  });
});

describe("the signer", () => {
  it("goes from nothing to an active key, with the exact call of the contract", async () => {
    const created = await browser.send(await browser.open(signer), { action: signer, fields: { do: "create" } });
    const [key] = await storedKeys(site.gateway);
    const { keyUuid = "", address = "" } = key ?? {};
    expect(created.html).toContain("The key is created.");
    const role = "0xb0162d5e61a8d5e2c26413420aa1072eaa0a79f8be9b289410cf8a1b65ce5386";
    expect(created.html).toContain(`grantRole(${role}, ${address})`);
    site.gateway.entities.contract.accepted = true;
    const known = await browser.open(signer);
    expect(known.html).toContain("The contract knows the next key: activate it.");
    const active = await browser.post(signer, { ...tokenOf(known.html), key: keyUuid, do: "activate" });
    expect(active.html).toContain("The key is active.");
    expect(active.html).toContain(`revokeRole(${role}, ${address})`);
    expect(active.html).toContain("Nothing: permits are signed, and the contract takes them.");
  });

  it("says why a key can't be activated, and does it nevertheless if told to", async () => {
    const { key } = await operator().permits.createKey({ saleUuid: SALE });
    const { keyUuid = "", address = "" } = key ?? {};
    const page = await browser.open(signer);
    const refused = await browser.post(signer, { ...tokenOf(page.html), key: keyUuid, do: "activate" });
    expect(refused).toMatchObject({ status: 422 });
    expect(refused.html).toContain(`contract doesn&#39;t accept permits of ${address} yet`);
    await browser.post(signer, { ...tokenOf(page.html), key: keyUuid, do: "activate", [`override-${keyUuid}`]: "yes" });
    expect(await storedKeys(site.gateway)).toMatchObject([{ keyUuid, status: PermitKeyStatus.ACTIVE }]);
  });

  it("deletes a retired key", async () => {
    const { gateway } = site;
    await activateNewKey(gateway);
    await activateNewKey(gateway);
    const retired = (await storedKeys(gateway)).find(({ status }) => status === PermitKeyStatus.RETIRED);
    gateway.auth.time.advance(OLD_PERMIT_MS);
    browser.cookies.set("tidemark-session", await gateway.auth.signIn({ by: "passkey" }));
    const page = await browser.open(signer);
    await browser.post(signer, { ...tokenOf(page.html), key: retired?.keyUuid ?? "", do: "delete" });
    expect(await storedKeys(gateway)).toMatchObject([{ status: PermitKeyStatus.ACTIVE }]);
  });

  it("of a Solana sale can't be rotated, and the page says so", async () => {
    const source = { case: "svm", value: { chain: "solana", saleAccount: MINT } } as const;
    await site.redefine(harbourAuction({ source, paymentTokens: [{ address: MINT, decimals: 6 }] }));
    await activateNewKey(site.gateway);
    const { html } = await browser.open(signer);
    expect(html).toContain("as its permit_signer. That can’t be changed later");
    expect(html).toContain("Pause the sale account.");
    expect(html).not.toContain("Role(");
  });

  it("changes only after a recent sign-in, which comes before anything is entered", async () => {
    const stale = site.browser("long ago");
    const page = await stale.open(signer);
    expect(page.html).not.toContain("<form");
    expect(page.html).toContain(`href="${signer}?change=1"`);
    expect((await stale.open(`${signer}?change=1`)).path).toContain("again=1");
  });
});

describe("freezes", () => {
  it("are set with a note, and lifted", async () => {
    await storePermits(site.gateway, [{}, {}, {}]);
    const page = await browser.open(`${freezes}?entity=${ENTITY}`);
    expect(page.html).toContain(`value="${ENTITY}"`);
    const frozen = await browser.send(page, { action: freezes, fields: { entity: ENTITY, note: "asked by counsel" } });
    expect(frozen.html).toContain(
      "The entity is frozen: it gets no more permits. Permits that it has already (3) stay valid",
    );
    expect(frozen.html).toContain("<bdi>asked by counsel</bdi>");
    const lifted = await browser.send(frozen, { action: liftFreeze });
    expect(lifted.html).toContain("The entity may take part again");
    expect((await operator().eligibility.listFreezes({ saleUuid: SALE })).freezes).toEqual([]);
  });

  it("say at the field what is no ID", async () => {
    const page = await browser.open(freezes);
    const refused = await browser.send(page, { action: freezes, fields: { entity: "0x12", note: "" } });
    expect(refused.html).toContain('id="entity-error">Write its ID in the contract');
  });
});

describe("permits", () => {
  it("are listed in pages, with bounds as people write them", async () => {
    await setRules(site.gateway, { groups: [boundedGroup()] });
    await storePermits(
      site.gateway,
      Array.from({ length: 30 }, () => ({})),
    );
    const first = await browser.open(permits);
    expect(first.html.match(/Valid now/g)).toHaveLength(25);
    expect(first.html).toContain("at least 100 USDC; at 0.1 USDC per token to 0.5 USDC per token; with lockup");
    expect(first.html).toContain(`href="${freezes}?entity=${ENTITY}"`);
    const [, older = ""] = /href="([^"]+)">Older</.exec(first.html) ?? [];
    expect((await browser.open(older)).html.match(/Valid now/g)).toHaveLength(5);
  });

  it("of one entity are asked for by its ID", async () => {
    const { html } = await browser.open(`${permits}?entity=${ENTITY}`);
    expect(html).toContain("Show all");
    const [request] = site.gateway.entities.faults.asked("ListPermits");
    expect(request).toMatchObject({ saleSpecificEntityId: ENTITY_ID });
  });
});

/** The token of the first form of a page. */
function tokenOf(html: string): Record<string, string> {
  return { form_token: /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? "" };
}
