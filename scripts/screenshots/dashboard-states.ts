import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { Page } from "playwright-core";
import {
  applicationPaths,
  NEW_SALE_PATH,
  REVIEWS_PATH,
  reviewPath,
  salePaths,
  takingPartPaths,
} from "../../gateway/dashboard/base/dashboard-paths.ts";
import { CLIENT_ID } from "../../gateway/testing/auth-gateway.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { type FounderSite, harbourAuction } from "../../gateway/testing/founder-site.ts";
import { addEntity } from "../../gateway/testing/own-entities.ts";
import { showFigures } from "../../gateway/testing/show-figures.ts";
import { someDays } from "../../gateway/testing/some-days.ts";
import {
  activateNewKey,
  addMembers,
  boundedGroup,
  denyWallets,
  ENTITY_ID,
  GROUP,
  setRules,
} from "../../gateway/testing/taking-part.ts";
import { DASHBOARD_PATH, GUIDE_PATH } from "../../gateway/web/sessions/auth-paths.ts";
import { Role } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import {
  EvmSourceSchema,
  FeedStateSchema,
  SaleStage,
  SourceStatusSchema,
} from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { SourcePositionSchema } from "../../proto/gen/tidemark/commitments/v1/source_position_pb.ts";
import { USER } from "../../test/support/processes/auth-in-process.ts";
import { amountOf, auctionPricing, record } from "../../test/support/sales/sale-messages.ts";
import { addApplication, sitePage } from "./site-page.ts";
import type { State } from "./state.ts";

const ABSENT = { readable: false, problems: ["there is no contract at this address"] };
const BIDDER = "bob@example.org";
const REVIEWED = "12121212-1212-4212-8212-121212121212";
const WALLETS = ["0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"];

const paths = salePaths(SALE);
const { sale, open } = paths;
const takingPart = takingPartPaths(SALE);
const portal = applicationPaths(SALE, CLIENT_ID);

const withPermits = async (site: FounderSite) => {
  await addApplication(site);
  await activateNewKey(site.gateway);
  await setRules(site.gateway, { groups: [boundedGroup()] });
};

/** An open sale in which people take part, with something in each of its lists. */
const openSale = async (site: FounderSite) => {
  const { gateway } = site;
  const { eligibility } = gateway.entities.as("operator");
  await site.open();
  await activateNewKey(gateway);
  await setRules(gateway, { enabled: true, groups: [boundedGroup()], countries: ["US"] });
  await someDays(site);
  showFigures(site, {
    sourceStatus: create(SourceStatusSchema),
    feedState: create(FeedStateSchema, { asOf: { position: { height: 19_000_000n } }, behind: { seconds: 4n } }),
  });
  await addMembers(gateway, [
    { groupUuid: GROUP, key: { case: "email", value: BIDDER }, minAmount: "100000000", maxAmount: "2500000000" },
    { groupUuid: GROUP, key: { case: "email", value: "carol@example.org" } },
  ]);
  await eligibility.setFreeze({ saleUuid: SALE, saleSpecificEntityId: ENTITY_ID, frozen: true, note: "Asked for it." });
  await denyWallets(gateway, WALLETS);
};

/** A sale that is read from a contract, whose bidding is over. */
const endedSale = async (site: FounderSite) => {
  const pricing = auctionPricing({ offeredAmount: `15${"0".repeat(20)}` });
  await site.redefine(harbourAuction({ source: { case: undefined }, pricing }));
  await site.open();
  const { commitments } = site.gateway.sales.as("operator");
  const upserts = [40n, 90n, 30n].map((dollars, index) =>
    record(index + 1, { priceTicks: `${10 + 10 * index}`, amounts: [amountOf(dollars * 1_000_000n)] }),
  );
  await commitments.applyCommitments({ saleUuid: SALE, requestId: randomUUID(), upserts });
  const position = create(SourcePositionSchema, { height: 19_000_000n, hash: new Uint8Array(32).fill(0xab) });
  const ended = {
    ...{ stage: SaleStage.SETTLEMENT, hasSnapshot: true, changedPosition: position },
    feedState: create(FeedStateSchema, { asOf: { position }, chain: { chainId: 1n } }),
  };
  const value = create(EvmSourceSchema, { chain: "ethereum", contract: `0x${"c1".repeat(20)}`, contractVersion: 2 });
  site.gateway.sales.faults.edit(SaleService.method.getSale, ({ sale }) => {
    if (sale?.definition !== undefined) Object.assign(sale.definition, { source: { case: "evm", value } });
    if (sale !== undefined) Object.assign(sale, ended);
  });
};

const csvFile = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

const makePlan = async (page: Page) => {
  await page.locator('main button[value="plan"]').click();
  await page.locator("main .copyable, main .summary").first().waitFor();
};

const inviteFounder = async ({ gateway }: FounderSite) => {
  await gateway.auth.as("operator").memberships.inviteFounder({ email: USER });
};

const inviteMember = async (site: FounderSite) => {
  await addApplication(site);
  await site.setRole(Role.EDITOR, { email: "carol@example.org" });
};

/** Entities that wait for a reviewer. */
const submit = async ({ gateway }: FounderSite) => {
  const waiting = { setupState: "ready_for_review", submittedAtMs: gateway.auth.time.now() - 7_200_000n } as const;
  const company = { uuid: REVIEWED, label: "Harbour Holdings", type: "organization", country: "AT" } as const;
  await addEntity(gateway, { ...company, ...waiting }, BIDDER);
  await addEntity(gateway, { label: "Ann Bright", country: "DE", ...waiting }, "ann@example.org");
};

const addWebhook = async (site: FounderSite) => {
  await addApplication(site);
  const { webhooks } = site.gateway.sales.as("operator");
  await webhooks.createWebhookEndpoint({ saleUuid: SALE, url: "https://founder.example/hook" });
};

/** Goes on to a step of a new sale, having emptied what an earlier visit entered. */
const toStep = (step: number) => async (page: Page) => {
  const press = (button: string) => page.locator(`main button[name="do"][value="${button}"]`).last().click();
  if ((await page.locator('[value="start-again"]').count()) > 0) await press("start-again");
  await page.locator('[name="source"][value="none"]').check();
  const entries = [{}, { token_address_0: `0x${"a1".repeat(20)}`, price: "0.25" }, { name: "Harbour Token" }];
  for (const [index, entered] of entries.slice(0, step - 1).entries()) {
    for (const [name, text] of Object.entries(entered)) await page.locator(`[name="${name}"]`).fill(text);
    await press(`step-${index + 2}`);
    await page.waitForURL((url) => url.searchParams.get("step") === `${index + 2}`);
  }
};

const NEW_SALE = { path: NEW_SALE_PATH, before: inviteFounder };

/** The states of the dashboard. */
export const DASHBOARD_STATES: readonly State[] = [
  sitePage("sales-empty", "The list of somebody who has no sale.", {
    path: DASHBOARD_PATH,
    before: async (site) => {
      await inviteFounder(site);
      await site.setRole(Role.OWNER, { email: "carol@example.org" });
      const { auth } = site.gateway;
      const { account } = await auth.as("gateway").accounts.getSession({ sessionToken: site.sessionToken() });
      await auth.as("operator").memberships.removeMember({ saleUuid: SALE, accountUuid: account?.uuid ?? "" });
    },
  }),
  sitePage("sales-draft", "The list with a draft.", { path: DASHBOARD_PATH }),
  sitePage("sales-open", "The list with an open sale.", { path: DASHBOARD_PATH, before: openSale }),
  sitePage("new-sale-1", "A new sale: chain and contract.", NEW_SALE),
  sitePage("new-sale-2", "A new sale: tokens and price.", { ...NEW_SALE, reach: toStep(2) }),
  sitePage("new-sale-3", "A new sale: words.", { ...NEW_SALE, reach: toStep(3) }),
  sitePage("new-sale-4", "A new sale: people and application.", { ...NEW_SALE, reach: toStep(4) }),
  sitePage("next-nothing", "A draft without an application.", { path: sale, before: async () => undefined }),
  sitePage("next-contract-absent", "All is there but the contract.", { path: sale, check: ABSENT }),
  sitePage("next-contract-unchecked", "The contract can’t be checked now.", { path: sale, check: "away" }),
  sitePage("next-ready", "A draft that can open.", { path: sale }),
  sitePage("next-open", "An open sale whose contract was never read.", {
    ...{ path: sale, check: ABSENT, before: (site: FounderSite) => site.open() },
  }),
  sitePage("sale-overview-open", "An open sale with figures.", { path: sale, before: openSale }),
  sitePage("sale-overview-settled", "A settled sale.", {
    path: sale,
    before: async (site) => {
      await openSale(site);
      const confirmName = (await site.sale()).definition?.name ?? "";
      await site.gateway.sales.as("operator").sales.settleSale({ saleUuid: SALE, confirmName });
    },
  }),
  sitePage("opening-nothing", "The check before opening, without an application.", {
    ...{ path: open, check: ABSENT, before: async () => undefined },
  }),
  sitePage("opening-contract-absent", "The check before opening: no contract.", { path: open, check: ABSENT }),
  sitePage("opening-unchecked", "The check before opening: it can’t be made now.", { path: open, check: "away" }),
  sitePage("opening-ready", "The check before opening: all is met.", { path: open }),
  sitePage("settle", "The end of an open sale.", { path: paths.settle, before: openSale }),
  sitePage("settlement-not-yet", "The settlement plan, which can’t be made yet.", {
    path: paths.settlement,
    before: openSale,
  }),
  sitePage("settlement", "The settlement plan can be made.", { path: paths.settlement, before: endedSale }),
  sitePage("settlement-made", "A settlement plan.", {
    ...{ path: paths.settlement, before: endedSale },
    reach: makePlan,
  }),
  sitePage("settlement-refused", "A settlement plan whose lists have faults.", {
    ...{ path: paths.settlement, before: endedSale },
    reach: async (page) => {
      await page.locator("#limits").setInputFiles(csvFile("limits.csv", "entity_id,largest\n0x12,5\n"));
      await makePlan(page);
    },
  }),
  sitePage("remove", "The end of a draft.", { path: paths.remove }),
  sitePage("settings", "The settings of a sale.", { path: paths.settings }),
  sitePage("contract", "The contract of a sale.", { path: paths.contract }),
  sitePage("presentation", "What the public page says.", { path: paths.presentation }),
  // Its policy forbids all scripts, axe's, too.
  sitePage("preview", "The public page of a draft.", { path: paths.preview, isWithoutScript: true }),
  sitePage("applications-none", "No application.", { path: paths.applications, before: async () => undefined }),
  sitePage("applications", "The applications of a sale.", { path: paths.applications }),
  sitePage("application-new", "A new application.", { path: paths.newApplication }),
  sitePage("application", "An application.", { path: portal.application }),
  sitePage("application-security", "The security of an application.", { path: portal.security }),
  sitePage("application-preview", "The preview of an application’s consent.", { path: portal.preview }),
  sitePage("developers", "What developers need.", { path: paths.developers }),
  sitePage("days-none", "Charts by day of a draft.", { path: paths.days }),
  sitePage("days", "Charts by day.", { path: paths.days, before: openSale }),
  sitePage("members", "The team.", { path: paths.members, before: inviteMember }),
  sitePage("log", "What was done.", { path: paths.log, before: inviteMember }),
  sitePage("downloads", "The downloads.", { path: paths.downloads, before: openSale }),
  sitePage("import-refused", "Nothing can be imported where a contract is read.", { path: paths.importCommitments }),
  sitePage("import", "The import of commitments.", {
    path: paths.importCommitments,
    before: async (site) => {
      await site.redefine(harbourAuction({ source: { case: undefined } }));
      await site.open();
    },
  }),
  sitePage("webhooks-none", "No webhook.", { path: paths.webhooks }),
  sitePage("webhooks", "A webhook.", { path: paths.webhooks, before: addWebhook }),
  sitePage("taking-part-none", "Nobody takes part yet.", { path: takingPart.overview }),
  sitePage("taking-part-contract-absent", "Who may take part, and the contract can’t be found.", {
    ...{ path: takingPart.overview, check: ABSENT, before: withPermits },
  }),
  sitePage("taking-part-ready", "Who may take part, and the contract can be read.", {
    ...{ path: takingPart.overview, before: withPermits },
  }),
  sitePage("taking-part-open", "People take part.", { path: takingPart.overview, before: openSale }),
  sitePage("rules-form", "The rules of taking part.", { path: takingPart.rules, before: openSale }),
  sitePage("group-members-none", "No member of a group.", { path: takingPart.groupMembers, before: withPermits }),
  sitePage("group-members", "The members of groups.", { path: takingPart.groupMembers, before: openSale }),
  sitePage("deny-list", "The deny list.", { path: takingPart.denyList, before: openSale }),
  sitePage("freezes", "The frozen entities.", { path: takingPart.freezes, before: openSale }),
  sitePage("signer", "The signer of permits.", { path: takingPart.signer, before: openSale }),
  sitePage("permits-none", "No permit.", { path: takingPart.permits, before: withPermits }),
  sitePage("permits", "The permits.", { path: takingPart.permits, before: openSale }),
  sitePage("reviews-none", "Nobody waits for a reviewer.", { path: REVIEWS_PATH }),
  sitePage("reviews", "Entities wait for a reviewer.", { path: REVIEWS_PATH, before: submit }),
  sitePage("review", "A review.", { path: reviewPath(REVIEWED), before: submit }),
  sitePage("review-refused", "A decision that lacks entries.", {
    ...{ path: reviewPath(REVIEWED), before: submit },
    reach: async (page) => {
      await page.locator('button[value="refuse"]').click();
      await page.getByRole("alert").waitFor();
    },
  }),
  sitePage("guide", "The founders’ guide.", { path: GUIDE_PATH }),
  sitePage("guide-sales", "A part of the founders’ guide.", { path: `${GUIDE_PATH}/sales` }),
  sitePage("dashboard-nothing", "There is no such page.", { path: `${DASHBOARD_PATH}/nothing` }),
];
