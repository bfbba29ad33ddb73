import { expect, it } from "vitest";
import { TidemarkError, UserCalls } from "../../../client/index.ts";
import { sampleGroup } from "../../../services/entities/testing/sample-rules.ts";
import { describeOneParticipationWeb } from "../../support/applications/taking-part-web.ts";
import { newAddress } from "../../support/sales/taking-part-sale.ts";

const FAR = 9_000_000_000n;
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describeOneParticipationWeb("the client's calls for a user", (web) => {
  const calls = (accessToken: string) => new UserCalls({ url: web().origin }, () => accessToken);

  it("get profile, entity, check, permit, limits and history", async () => {
    const { saleUuid: SaleUUID } = await web().openSale({ groups: [sampleGroup({ minAmount: 5n, maxAmount: 7n })] });
    const participant = await web().user(SaleUUID);
    await web().createEntity(participant);
    const user = calls(participant.accessToken);
    const { EntityID, EmailAddress } = await user.myProfile();
    expect(EmailAddress).toBe(participant.email);
    const { Entities } = await user.listAvailableEntities(SaleUUID);
    expect(Entities).toMatchObject([{ EntityID, EntitySetupState: "complete", SaleEligibility: "eligible" }]);
    const request = { SaleUUID, EntityID, PurchasingWalletAddress: WALLET };
    expect(await user.prePurchaseCheck(request)).toEqual({
      ReadyToPurchase: true,
      FailureReason: "",
      LivenessCheckURL: "",
    });
    const { PermitJSON } = await user.generatePurchasePermit(request);
    expect(PermitJSON).toMatchObject({ Wallet: WALLET, MinAmount: "5", MaxAmount: "7" });
    const WalletAddress = WALLET;
    expect(await user.readEntity({ SaleUUID, WalletAddress })).toEqual({ Entity: Entities[0] });
    const { HasCustomCommitmentAmountLimit: _, ...limits } = await user.limits({ SaleUUID, WalletAddress });
    expect(limits).toEqual({ MinCommitmentAmount: "5", MaxCommitmentAmount: "7" });
    expect(await user.investmentHistory()).toEqual({ Investments: [] });
  });

  it("throw what is refused as errors with code, status and details", async () => {
    const { saleUuid: SaleUUID } = await web().openSale({ groups: [sampleGroup({ opensAt: FAR })] });
    const participant = await web().user(SaleUUID);
    await web().createEntity(participant);
    const user = calls(participant.accessToken);
    const refusal = (call: Promise<unknown>) =>
      call.then(
        () => "",
        (error: unknown) => error,
      );
    const { EntityID } = await user.myProfile();
    const request = { SaleUUID, EntityID, PurchasingWalletAddress: newAddress() };
    const refusals = [
      [calls("unknown").myProfile(), "unauthenticated", 401, {}],
      [user.listAvailableEntities(crypto.randomUUID()), "permission_denied", 403, {}],
      [user.readEntity({ SaleUUID, EntityID: crypto.randomUUID() }), "not_found", 404, {}],
      [user.limits({ SaleUUID, WalletAddress: "0x12" }), "invalid_argument", 400, { violations: expect.any(Array) }],
      [
        user.generatePurchasePermit(request),
        "failed_precondition",
        400,
        { FailureReason: "outside-time-window", LivenessCheckURL: "" },
      ],
    ] as const;
    for (const [call, code, status, details] of refusals) {
      const error = await refusal(call);
      expect(error).toBeInstanceOf(TidemarkError);
      expect(error).toMatchObject({ code, status, details });
    }
  });
});
