import { APIError, type EntityDetails, PrePurchaseFailureReason } from "@echoxyz/sonar-core";
import { encodeAbiParameters, hexToBytes, parseAbiParameters, recoverMessageAddress, toHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { EntityType, SetupState, WalletKind } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { sampleGroup } from "../../../services/entities/testing/sample-rules.ts";
import { type ExistingClientUser, signInWithExistingClient } from "../../support/applications/existing-client.ts";
import { describeOneParticipationWeb } from "../../support/applications/taking-part-web.ts";
import { type OwnedSale, sampleRulesMessage } from "../../support/sales/participation-sales.ts";
import { applyUnderLease, record } from "../../support/sales/sale-messages.ts";
import { newAddress } from "../../support/sales/taking-part-sale.ts";

type Rules = Parameters<typeof sampleRulesMessage>[0];

/** `PurchasePermitV3`, as a sale's contract decodes it, with the names of `PermitJSON`. */
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
const FAR = 9_000_000_000n;
const identity = { provider: "demo", reviewers: new Set<string>(), approvalLifetimeMs: 0n } as const;

describeOneParticipationWeb(
  "the client of the existing service",
  (web) => {
    const signIn = (saleUuid: string) => signInWithExistingClient(web(), saleUuid);

    async function setRules({ saleUuid, eligibility }: OwnedSale, rules: Rules): Promise<void> {
      const { version } = await eligibility.getRules({ saleUuid });
      await eligibility.updateRules({ saleUuid, rules: sampleRulesMessage(rules), expectedVersion: version });
    }

    async function entityOf(user: ExistingClientUser, saleUUID: string, state: SetupState = SetupState.COMPLETE) {
      const { entities } = user.pages;
      const { entity } = await entities.createEntity({ type: EntityType.PERSON, label: "Alice" });
      const entityUuid = entity?.uuid ?? "";
      await entities.chooseDemoSetup({ entityUuid, state, country: "DE" });
      const { Entities } = await user.client.listAvailableEntities({ saleUUID });
      return { entityUuid, entityID: (Entities[0] as EntityDetails).EntityID };
    }

    const refusal = async (call: Promise<unknown>): Promise<APIError> => {
      const error = await call.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error instanceof APIError) return error;
      throw error ?? new Error("the call was expected to fail");
    };

    it("signs in without a scope and a challenge method, reads profile and entities, and finds none at first", async () => {
      const { saleUuid: saleUUID } = await web().openSale();
      const { email, client, tokens, pages, signOuts } = await signIn(saleUUID);
      expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: expect.any(Number) });
      expect(client.getToken()).toBe(tokens.access_token);
      expect(await client.myProfile()).toEqual({ EntityID: "", EmailAddress: email });
      expect(await client.listAvailableEntities({ saleUUID })).toEqual({ Entities: [] });
      expect(await refusal(client.readEntity({ saleUUID, walletAddress: newAddress() }))).toMatchObject({
        status: 404,
        code: "not_found",
      });
      expect(await client.readEntityInvestmentHistory()).toEqual({ Investments: [] });
      const { entity } = await pages.entities.createEntity({ type: EntityType.PERSON, label: "Alice" });
      const states = [
        [SetupState.IN_PROGRESS, "in-progress"],
        [SetupState.READY_FOR_REVIEW, "ready-for-review"],
        [SetupState.IN_REVIEW, "in-review"],
        [SetupState.TECHNICAL_ISSUE, "technical-issue"],
        [SetupState.FAILURE, "failure"],
        [SetupState.COMPLETE, "complete"],
      ] as const;
      for (const [state, EntitySetupState] of states) {
        await pages.entities.chooseDemoSetup({ entityUuid: entity?.uuid ?? "", state, country: "DE" });
        const { EntityID: entityID } = await client.myProfile();
        expect((await client.readEntity({ saleUUID, entityID })).Entity).toMatchObject({
          EntitySetupState,
          EntityType: "user",
          Label: "Alice",
          SaleEligibility: EntitySetupState === "complete" ? "eligible" : "unknown-setup-incomplete",
        });
      }
      expect(signOuts()).toBe(0);
    });

    it("refreshes in two tabs at once, with an access token that has expired", async () => {
      const { saleUuid } = await web().openSale();
      const { client, tokens, signOuts } = await signIn(saleUuid);
      web().service.auth.time.advance((tokens.expires_in + 1) * 1_000);
      const refreshToken = tokens.refresh_token;
      const both = await Promise.all([client.refreshToken({ refreshToken }), client.refreshToken({ refreshToken })]);
      expect([client.getToken(), signOuts()]).toEqual([tokens.access_token, 0]);
      for (const { access_token } of both) {
        client.setToken(access_token);
        expect(await client.myProfile()).toHaveProperty("EntityID");
      }
      expect(await refusal(client.refreshToken({ refreshToken: "unknown" }))).toMatchObject({
        status: 400,
        details: { details: { error: "invalid_grant" } },
      });
      expect(signOuts()).toBe(0);
    });

    it("is given every reason for which there is no permit", async () => {
      const sale = await web().openSale();
      const { saleUuid: saleUUID } = sale;
      const user = await signIn(saleUUID);
      const { entityUuid, entityID } = await entityOf(user, saleUUID, SetupState.IN_REVIEW);
      const account = privateKeyToAccount(generatePrivateKey());
      const purchase = { saleUUID, entityID, walletAddress: account.address };
      const given = new Set<string>();
      const expectReason = async (
        reason: PrePurchaseFailureReason,
        changes: { readonly walletAddress?: string } = {},
      ) => {
        const check = await user.client.prePurchaseCheck({ ...purchase, ...changes });
        expect(check).toMatchObject({ ReadyToPurchase: false, FailureReason: reason });
        const refused = await refusal(user.client.generatePurchasePermit({ ...purchase, ...changes }));
        expect(refused).toMatchObject({ status: 400, code: "failed_precondition" });
        expect(refused.details).toMatchObject({ details: { FailureReason: reason } });
        given.add(reason);
        return check;
      };

      await expectReason(PrePurchaseFailureReason.UNKNOWN);
      await user.pages.entities.chooseDemoSetup({ entityUuid, state: SetupState.COMPLETE, country: "DE" });
      await setRules(sale, { enabled: false });
      await expectReason(PrePurchaseFailureReason.SALE_NOT_ACTIVE);
      await setRules(sale, { groups: [sampleGroup({ opensAt: FAR })] });
      await expectReason(PrePurchaseFailureReason.OUTSIDE_TIME_WINDOW);
      await setRules(sale, { wallets: { ...WALLETS, linkingRequired: true } });
      await expectReason(PrePurchaseFailureReason.WALLET_NOT_LINKED);
      const { wallets } = user.pages;
      const link = { entityUuid, kind: WalletKind.EVM, address: account.address, chainId: 1n };
      const { text: message, linkHandle } = await wallets.beginWalletLink(link);
      const signature = new Uint8Array(hexToBytes(await account.signMessage({ message })));
      await wallets.completeWalletLink({ linkHandle, signature });
      const { saleUuid } = sale;
      await web().service.eligibility.changeDenyList({ saleUuid, wallets: [account.address] });
      await expectReason(PrePurchaseFailureReason.WALLET_RISK);
      await web().service.eligibility.changeDenyList({ saleUuid, wallets: [account.address], remove: true });
      await setRules(sale, { wallets: WALLETS, livenessRequired: true });
      const { LivenessCheckURL } = await expectReason(PrePurchaseFailureReason.REQUIRES_LIVENESS);
      const page = new URL(LivenessCheckURL);
      expect([page.protocol, page.pathname]).toEqual(["https:", "/account/liveness"]);
      await user.pages.entities.confirmLiveness({ saleUuid, entityUuid: entityID });
      expect(await user.client.prePurchaseCheck(purchase)).toEqual({
        ReadyToPurchase: true,
        FailureReason: "",
        LivenessCheckURL: "",
      });
      await user.client.generatePurchasePermit(purchase);
      await expectReason(PrePurchaseFailureReason.MAX_WALLETS_USED, { walletAddress: newAddress() });
      await applyUnderLease(web().service.auth.commitments, saleUuid, { stage: SaleStage.SETTLEMENT });
      await expectReason(PrePurchaseFailureReason.SALE_NOT_ACTIVE);
      expect([...given].toSorted()).toEqual(Object.values(PrePurchaseFailureReason).toSorted());
      expect(user.signOuts()).toBe(0);
    });

    it("gets limits, a permit that the sale's key has signed, and the sale's commitments", async () => {
      const sale = await web().openSale({ groups: [sampleGroup({ minAmount: 5n, maxAmount: 7n })] });
      const { saleUuid: saleUUID } = sale;
      const { client, ...user } = await signIn(saleUUID);
      const { entityID } = await entityOf({ client, ...user }, saleUUID);
      const { address: walletAddress } = privateKeyToAccount(generatePrivateKey());
      const { PermitJSON, Signature } = await client.generatePurchasePermit({ saleUUID, entityID, walletAddress });
      if (!("OpensAt" in PermitJSON)) throw new Error("the client takes the permit for one of an older version");
      const { Entity } = await client.readEntity({ saleUUID, walletAddress });
      expect(PermitJSON).toMatchObject({
        SaleSpecificEntityID: Entity.SaleSpecificEntityID,
        SaleUUID: `0x${saleUUID.replaceAll("-", "")}`,
        Wallet: walletAddress,
        MinAmount: "5",
        MaxAmount: "7",
      });
      const { keys } = await sale.permits.listKeys({ saleUuid: saleUUID });
      const raw = encodeAbiParameters(PERMIT_V3, [PermitJSON as never]);
      expect(await recoverMessageAddress({ message: { raw }, signature: Signature })).toBe(keys[0]?.address);
      expect(await client.fetchLimits({ saleUUID, walletAddress })).toEqual({
        HasCustomCommitmentAmountLimit: false,
        MinCommitmentAmount: "5",
        MaxCommitmentAmount: "7",
      });
      const bid = record(1, { entityId: new Uint8Array(hexToBytes(Entity.SaleSpecificEntityID)) });
      await applyUnderLease(web().service.auth.commitments, saleUUID, { upserts: [bid] });
      const { Commitments, UniqueCommitmentCount } = await client.readCommitmentData({ saleUUID });
      expect(UniqueCommitmentCount).toBe(1);
      expect(Commitments[0]).toMatchObject({
        CommitmentID: toHex(bid.commitmentId as Uint8Array),
        SaleSpecificEntityID: Entity.SaleSpecificEntityID,
        PriceNumerator: expect.stringMatching(/^\d+$/),
      });
      expect(user.signOuts()).toBe(0);
    });

    it("stays signed in on every refusal but one of its token", async () => {
      const [{ saleUuid: saleUUID }, other] = [await web().openSale(), await web().openSale()];
      const { client, ...user } = await signIn(saleUUID);
      const { entityID } = await entityOf({ client, ...user }, saleUUID);
      const walletAddress = newAddress();
      const statusOf = async (call: Promise<unknown>) => [(await refusal(call)).status, user.signOuts()];
      expect(await statusOf(client.listAvailableEntities({ saleUUID: other.saleUuid }))).toEqual([403, 0]);
      const unknown = { saleUUID, entityID: other.saleUuid, walletAddress };
      expect(await statusOf(client.prePurchaseCheck(unknown))).toEqual([404, 0]);
      expect(await statusOf(client.readCommitmentData({ saleUUID: entityID }))).toEqual([404, 0]);
      expect(await statusOf(client.fetchLimits({ saleUUID, walletAddress: "0x12" }))).toEqual([400, 0]);
      web().toEntities.cut();
      expect(await statusOf(client.myProfile())).toEqual([503, 0]);
      web().toEntities.mend();
      expect(await client.myProfile()).toHaveProperty("EntityID", entityID);
      expect(client.getToken()).toBe(user.tokens.access_token);

      const body = new URLSearchParams({ token: user.tokens.refresh_token });
      expect((await fetch(`${web().origin}/oauth/revoke`, { method: "POST", body })).status).toBe(200);
      expect(await statusOf(client.myProfile())).toEqual([401, 1]);
      expect(client.getToken()).toBeUndefined();
      expect(await statusOf(client.myProfile())).toEqual([401, 2]);
    });
  },
  { pathPrefix: "sonar", entities: { identity } },
);
