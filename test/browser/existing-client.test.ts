import { type EntityDetails, type GeneratePurchasePermitResponse, PrePurchaseFailureReason } from "@echoxyz/sonar-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { encodeAbiParameters, hexToBytes, parseAbiParameters, recoverMessageAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SaleStage } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { EntityType, SetupState, WalletKind } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { sampleGroup } from "../../services/entities/testing/sample-rules.ts";
import { type ExistingClientSite, startExistingClientSite } from "../support/applications/existing-client-site.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";
import type { EntitiesClients } from "../support/processes/entities-clients.ts";
import { nextCode } from "../support/processes/mail-folder.ts";
import { SOON } from "../support/repository/polling.ts";
import { applyUnderLease, record } from "../support/sales/sale-messages.ts";
import { newAddress } from "../support/sales/taking-part-sale.ts";

const EMAIL = "alice@example.com";
const TOKEN_KEY = "sonar:auth-token";
const FAR = 9_000_000_000n;
const PERMIT_V3 = parseAbiParameters([
  "Permit permit",
  "struct Permit { bytes16 SaleSpecificEntityID; bytes16 SaleUUID; address Wallet; uint64 ExpiresAt; uint256 MinAmount; uint256 MaxAmount; uint64 MinPrice; uint64 MaxPrice; uint64 OpensAt; uint64 ClosesAt; bytes Payload; }",
]);
const WALLETS = {
  maxWalletsPerEntity: 1,
  linkingRequired: false,
  denyList: true,
  screenerUrl: "",
  onScreeningFailure: "closed",
} as const;

// The tests are the steps of one user, in their order.
describe("an application that is written with the packages of the existing service", () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  let site: ExistingClientSite;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let pages: EntitiesClients;
  let complaints: readonly string[];
  let refreshToken = "";
  let entityUuid = "";
  let entity: EntityDetails;

  beforeAll(async () => {
    [site, browser] = await Promise.all([startExistingClientSite(), launchChromium()]);
    const watched = await openWatchedPage(browser, {});
    ({ page, complaints } = watched);
    context = page.context();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });

  const shown = async (id: string, on = page) => JSON.parse((await on.locator(`#${id}`).textContent()) ?? "null");
  const expectShown = (id: string, value: object, on = page) =>
    expect.poll(() => shown(id, on), SOON).toMatchObject(value);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const open = (walletAddress: string, on = page) =>
    on.goto(`${site.application.origin}/?${new URLSearchParams({ entity: entity.EntityID, wallet: walletAddress })}`);
  const storedToken = () => page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY);
  /** Calls a method of the page's client. @returns its answer, or the status of its error */
  const call = (method: string, request: object, on = page) =>
    on.evaluate(
      ([name, argument]) =>
        (window as never as { client: Record<string, (request: object) => Promise<object>> }).client[name]?.(
          argument,
        ).catch((error: { status: number }) => error.status),
      [method, request] as const,
    );

  it("signs its user in by mailed code, asking for consent to the scopes of its configuration", async () => {
    await page.goto(site.application.origin);
    await expectShown("session", { ready: true, authenticated: false });
    await press("Sign in");
    await page.getByLabel("E-mail address").fill(EMAIL);
    await press("Send me a code");
    await page.getByLabel("Code").fill(await nextCode(site.mailFolder, EMAIL));
    await press("Sign in");
    await page.getByLabel("Share your e-mail address").check();
    const exchange = page.waitForResponse("**/oauth.ExchangeAuthorizationCodeV2");
    await press("Allow");
    const tokens = await (await exchange).json();
    refreshToken = tokens.refresh_token;
    expect(tokens.expires_in).toBe(3_600);
    await expectShown("session", { authenticated: true });
    await expectShown("profile", { profile: { EntityID: "", EmailAddress: EMAIL } });
    await expectShown("entities", { entities: [] });
    await expectShown("history", { investmentHistory: { Investments: [] } });
    const session = (await context.cookies()).find(({ name }) => name === "tidemark-session");
    pages = await site.asPerson(session?.value ?? "");
  });

  it("shows that a wallet has no entity, and the entity once there is one", async () => {
    const answer = page.waitForResponse("**/externalapi.ReadEntity");
    await page.goto(`${site.application.origin}/?wallet=${wallet.address}`);
    expect((await answer).status()).toBe(404);
    await expect.poll(() => shown("entity"), SOON).toEqual({ authenticated: true, loading: false });
    const created = await pages.entities.createEntity({ type: EntityType.PERSON, label: "Alice" });
    entityUuid = created.entity?.uuid ?? "";
    await page.reload();
    await expectShown("entities", { entities: [{ Label: "Alice", EntitySetupState: "not-started" }] });
    ({
      entities: [entity],
    } = await shown("entities"));
    await open(wallet.address);
    await expectShown("entity", { entity: { EntityID: entity.EntityID, SaleEligibility: "unknown-setup-incomplete" } });
  });

  it("is given every reason for which there is no permit", async () => {
    const { saleUuid } = site;
    const given = new Set<string>();
    const expectReason = async (failureReason: PrePurchaseFailureReason, walletAddress: string = wallet.address) => {
      await open(walletAddress);
      await expectShown("purchase", { loading: false, readyToPurchase: false, failureReason });
      const request = { saleUUID: saleUuid, entityID: entity.EntityID, walletAddress };
      expect(await call("generatePurchasePermit", request)).toBe(400);
      given.add(failureReason);
    };
    await expectReason(PrePurchaseFailureReason.UNKNOWN);
    await pages.entities.chooseDemoSetup({ entityUuid, state: SetupState.COMPLETE, country: "DE" });
    await site.setRules({ enabled: false });
    await expectReason(PrePurchaseFailureReason.SALE_NOT_ACTIVE);
    await site.setRules({ groups: [sampleGroup({ opensAt: FAR })] });
    await expectReason(PrePurchaseFailureReason.OUTSIDE_TIME_WINDOW);
    await site.setRules({ wallets: { ...WALLETS, linkingRequired: true } });
    await expectReason(PrePurchaseFailureReason.WALLET_NOT_LINKED);
    const link = { entityUuid, kind: WalletKind.EVM, address: wallet.address, chainId: 1n };
    const { text: message, linkHandle } = await pages.wallets.beginWalletLink(link);
    const signature = new Uint8Array(hexToBytes(await wallet.signMessage({ message })));
    await pages.wallets.completeWalletLink({ linkHandle, signature });
    const { eligibility } = site.operator;
    await eligibility.changeDenyList({ saleUuid, wallets: [wallet.address] });
    await expectReason(PrePurchaseFailureReason.WALLET_RISK);
    await eligibility.changeDenyList({ saleUuid, wallets: [wallet.address], remove: true });
    await site.setRules({
      groups: [sampleGroup({ minAmount: 5n, maxAmount: 7n })],
      wallets: WALLETS,
      livenessRequired: true,
    });
    await expectReason(PrePurchaseFailureReason.REQUIRES_LIVENESS);
    expect(new URL((await shown("purchase")).livenessCheckURL).pathname).toBe("/account/liveness");
    await pages.entities.confirmLiveness({ saleUuid, entityUuid: entity.EntityID });
    await open(wallet.address);
    await expectShown("purchase", { readyToPurchase: true });
    await press("Get a permit");
    await expectShown("permit", { Signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) });
    await expectReason(PrePurchaseFailureReason.MAX_WALLETS_USED, newAddress());
    expect([...given].toSorted()).toEqual(Object.values(PrePurchaseFailureReason).toSorted());
    await expectShown("session", { authenticated: true });
  });

  it("gets a permit that the sale's key has signed, limits, and the commitments with the user's own", async () => {
    const { saleUuid: saleUUID } = site;
    await open(wallet.address);
    await press("Get a permit");
    await expectShown("permit", { PermitJSON: { Wallet: wallet.address, MinAmount: "5", MaxAmount: "7" } });
    const { PermitJSON, Signature }: GeneratePurchasePermitResponse = await shown("permit");
    expect("OpensAt" in PermitJSON).toBe(true);
    expect(PermitJSON).toMatchObject({ SaleSpecificEntityID: entity.SaleSpecificEntityID });
    const { keys } = await site.operator.permits.listKeys({ saleUuid: saleUUID });
    const raw = encodeAbiParameters(PERMIT_V3, [PermitJSON as never]);
    expect(await recoverMessageAddress({ message: { raw }, signature: Signature })).toBe(keys[0]?.address);
    expect(await call("fetchLimits", { saleUUID, walletAddress: wallet.address })).toEqual({
      HasCustomCommitmentAmountLimit: false,
      MinCommitmentAmount: "5",
      MaxCommitmentAmount: "7",
    });
    const bid = record(1, { entityId: new Uint8Array(hexToBytes(entity.SaleSpecificEntityID)) });
    await applyUnderLease(site.operator, saleUUID, { upserts: [bid] });
    const own = { SaleSpecificEntityID: entity.SaleSpecificEntityID };
    await expectShown("commitments", { commitmentData: { UniqueCommitmentCount: 1, Commitments: [own] } });
  });

  it("refreshes in two tabs at once", async () => {
    const other = await context.newPage();
    await open(wallet.address, other);
    await expectShown("profile", { profile: { EmailAddress: EMAIL } }, other);
    const both = await Promise.all([page, other].map((tab) => call("refreshToken", { refreshToken }, tab)));
    for (const tokens of both) {
      expect(tokens).toMatchObject({ token_type: "Bearer", access_token: expect.any(String) });
      const { access_token } = tokens as { access_token: string };
      await page.evaluate(([key, token]) => localStorage.setItem(key, token), [TOKEN_KEY, access_token] as const);
      await page.reload();
      await expectShown("profile", { profile: { EmailAddress: EMAIL } });
    }
    refreshToken = (both.at(-1) as { refresh_token: string }).refresh_token;
    await other.close();
  });

  it("stays signed in on every refusal but one of its token", async () => {
    const { saleUuid: saleUUID } = site;
    const elsewhere = crypto.randomUUID();
    expect(await call("listAvailableEntities", { saleUUID: elsewhere })).toBe(403);
    const unknown = { saleUUID, entityID: elsewhere, walletAddress: wallet.address };
    expect(await call("prePurchaseCheck", unknown)).toBe(404);
    expect(await call("fetchLimits", { saleUUID, walletAddress: "0x12" })).toBe(400);
    expect(await call("refreshToken", { refreshToken: "unknown" })).toBe(400);
    expect(await storedToken()).not.toBeNull();
    await expectShown("session", { authenticated: true });

    await site.setStage(SaleStage.CANCELLATION);
    await open(wallet.address);
    await expectShown("purchase", { failureReason: PrePurchaseFailureReason.SALE_NOT_ACTIVE });
    await expectShown("session", { authenticated: true });

    const body = new URLSearchParams({ token: refreshToken });
    expect((await fetch(`${site.apiUrl}/oauth/revoke`, { method: "POST", body })).status).toBe(200);
    await page.reload();
    await expectShown("session", { authenticated: false });
    expect(await storedToken()).toBeNull();
    expect(complaints).toEqual([]);
  });
});
