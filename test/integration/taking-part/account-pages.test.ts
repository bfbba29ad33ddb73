import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { entityPaths } from "../../../gateway/account/entities/entity-paths.ts";
import type { PageBrowser } from "../../../gateway/testing/page-browser.ts";
import { describeParticipationWeb, type ParticipationWeb } from "../../support/applications/taking-part-web.ts";
import { answerOf, CONSENT, tokensIn, WebApplication } from "../../support/applications/web-application.ts";
import { changeByPage, createByPage } from "../../support/pages/entity-forms.ts";

/** Somebody who is signed in at the account's pages. */
async function member(web: ParticipationWeb): Promise<PageBrowser> {
  return web.browserOf(await web.service.auth.signIn(`${crypto.randomUUID()}@example.com`));
}

describeParticipationWeb("the pages of entities", (web) => {
  it("create one person, and begin its identity check", async () => {
    const browser = await member(web());
    const person = await createByPage(browser, "person", "Alice");
    await expect(createByPage(browser, "person", "Alice again")).rejects.toThrow("There is a problem");
    const refused = await changeByPage(browser, person, "begin");
    expect([refused.status, refused.html.includes("There is a problem")]).toEqual([422, true]);
    const begun = await changeByPage(browser, person, "begin", { country: "Germany" });
    expect(begun.html).toContain("The identity check has begun.");
    expect(begun.html).toContain("Person · Germany");
    expect(begun.html).not.toContain(`name="do" value="begin"`);
    const renamed = await changeByPage(browser, person, "rename", { label: "Alice A." });
    expect(renamed.html).toContain("<bdi>Alice A.</bdi>");
    expect((await browser.open("/account")).html).toContain("<bdi>Alice A.</bdi>");
  });

  it("link a wallet by its signature of the text, and unlink it", async () => {
    const browser = await member(web());
    const person = await createByPage(browser, "person", "Alice");
    const { wallet: action, entity } = entityPaths(person);
    const account = privateKeyToAccount(generatePrivateKey());
    const begin = async () =>
      browser.send(await browser.open(action), { action, fields: { address: account.address, chain: "8453" } });
    const page = await begin();
    const message = /<pre[^>]*><span[^>]*>([^<]*)<\/span>/.exec(page.html)?.[1] ?? "";
    expect(message).toContain(`\n${account.address}\n`);
    const signature = await account.signMessage({ message });
    const linked = await browser.send(page, { action, fields: { signature } });
    expect(linked.html).toContain("The wallet is linked.");
    expect(linked.html).toContain(`<code>${account.address}</code>`);
    const again = await browser.send(page, { action, fields: { signature } });
    expect([again.status, again.html.includes("Begin again with a new text.")]).toEqual([422, true]);
    const unlinked = await changeByPage(browser, person, "unlink");
    expect(unlinked.html).toContain("The wallet is no longer linked.");
    expect((await browser.open(entity)).html).toContain("None is linked.");
  });

  it("and the consent page decide which entities an application sees", async () => {
    const { saleUuid: SaleUUID } = await web().openSale();
    const browser = await member(web());
    const person = await createByPage(browser, "person", "Alice");
    const company = await createByPage(browser, "organization", "Harbour GmbH");
    const { client } = await web().service.applicationOf(SaleUUID);
    const application = new WebApplication(web().origin, client);
    const consent = await application.authorize(browser);
    expect(consent.html).toContain("Harbour GmbH");
    const decided = await browser.send(consent, { action: CONSENT, fields: { decision: "allow", entity: person } });
    const code = answerOf(decided).get("code") ?? "";
    const { accessToken } = tokensIn(await application.exchange(code));
    const seen = async (): Promise<string[]> => {
      const { body } = await web().call("/svc/v1/list-available-entities", { SaleUUID }, accessToken);
      return body.Entities.map(({ Label }: { Label: string }) => Label).toSorted();
    };
    expect(await seen()).toEqual(["Alice"]);
    await changeByPage(browser, person, "hide");
    expect(await seen()).toEqual([]);
    await changeByPage(browser, company, "show");
    await changeByPage(browser, person, "show");
    expect(await seen()).toEqual(["Alice", "Harbour GmbH"]);
    // Another time, the boxes are as the person has left them.
    await changeByPage(browser, company, "hide");
    const { html } = await application.authorize(browser, { prompt: "consent" });
    const boxes = Array.from(html.matchAll(/name="entity" value="([^"]*)"( checked)?/g), ([, uuid, ticked]) => [
      uuid,
      ticked !== undefined,
    ]);
    expect(Object.fromEntries(boxes)).toEqual({ [person]: true, [company]: false });
  });
});
