import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { SaleStage, SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { auction, draftSale, evmSource, MINT, openedSale, refusal, usdx } from "../../support/sales/sale-messages.ts";

const OWNER = "abcdefab-0000-4000-8000-000000000001";
const CHECKSUMMED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

describeCommitments("CreateSale and GetSale", (service) => {
  it("creates a draft with the settings that were sent", async () => {
    const saleUuid = randomUUID();
    const definition = auction({
      source: evmSource(),
      cancelledKeepsAmounts: true,
      extraDataParameters: "uint64 tier",
    });
    const request = { saleUuid, tenancy: Tenancy.LIVE, definition, ownerAccountUuid: OWNER };
    const { sale: created } = await service().sales.createSale(request);
    expect(created).toMatchObject({
      uuid: saleUuid,
      tenancy: Tenancy.LIVE,
      status: SaleStatus.DRAFT,
      definition: { ...definition, paymentTokenDecimals: 6 },
      definitionVersion: 1n,
      ownerAccountUuid: OWNER,
      revision: 1n,
      stage: SaleStage.UNSPECIFIED,
      hasSnapshot: false,
      changeSetOpen: false,
    });
    expect(created?.generation).not.toBe(0n);
    expect(created?.sourcePosition).toBeUndefined();
    expect((await service().sales.getSale({ saleUuid })).sale).toEqual(created);
  });

  it("makes a UUID if none is given", async () => {
    const { sale } = await service().sales.createSale({ tenancy: Tenancy.TEST, definition: auction() });
    expect(sale?.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(sale).toMatchObject({ ownerAccountUuid: "", hasSnapshot: true });
  });

  it("stores addresses and UUIDs in their canonical form", async () => {
    const saleUuid = randomUUID();
    const { sale } = await service().sales.createSale({
      saleUuid: saleUuid.toUpperCase(),
      tenancy: Tenancy.TEST,
      definition: auction({ paymentTokens: [{ ...usdx, address: CHECKSUMMED }] }),
      ownerAccountUuid: OWNER.toUpperCase(),
    });
    expect(sale).toMatchObject({ uuid: saleUuid, ownerAccountUuid: OWNER });
    expect(sale?.definition?.paymentTokens[0]?.address).toBe(CHECKSUMMED.toLowerCase());
    expect((await service().sales.getSale({ saleUuid: saleUuid.toUpperCase() })).sale).toEqual(sale);
  });

  it("answers a repeated call with the sale of the first one", async () => {
    const request = { saleUuid: randomUUID(), tenancy: Tenancy.TEST, definition: auction({ source: evmSource() }) };
    const first = await service().sales.createSale(request);
    const again = await expectUnchanged(service().database, request.saleUuid, () =>
      service().sales.createSale(request),
    );
    expect(again).toEqual(first);
  });

  it("makes one sale of calls at once", async () => {
    const request = { saleUuid: randomUUID(), tenancy: Tenancy.TEST, definition: auction() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => service().sales.createSale(request)));
    expect(new Set(answers.map(({ sale }) => sale?.generation)).size).toBe(1);
  });

  it.each([
    ["another name", { definition: auction({ name: "Another" }) }],
    ["another token", { definition: auction({ paymentTokens: [{ ...usdx, decimals: 7 }] }) }],
    ["another tenancy", { tenancy: Tenancy.LIVE }],
    ["another owner", { ownerAccountUuid: OWNER }],
  ])("refuses a UUID that is taken by a sale with %s", async (_, change) => {
    const request = { saleUuid: randomUUID(), tenancy: Tenancy.TEST, definition: auction() };
    await service().sales.createSale(request);
    const error = await expectUnchanged(service().database, request.saleUuid, () =>
      refusal(service().sales.createSale({ ...request, ...change })),
    );
    expect(error).toMatchObject({ code: "already_exists", message: expect.stringContaining(request.saleUuid) });
  });

  it("refuses the UUID of a sale that is no longer a draft", async () => {
    const saleUuid = await openedSale(service());
    const call = service().sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition: auction() });
    expect(await refusal(call)).toMatchObject({ code: "already_exists" });
  });

  it("refuses the UUID of a draft that was changed and changed back", async () => {
    const saleUuid = await draftSale(service());
    const update = { saleUuid, definition: auction({ name: "Another" }), expectedDefinitionVersion: 1n };
    await service().sales.updateSale(update);
    await service().sales.updateSale({ ...update, definition: auction(), expectedDefinitionVersion: 2n });
    const call = service().sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition: auction() });
    expect(await refusal(call)).toMatchObject({ code: "already_exists" });
  });

  it("doesn't know a sale that was never created", async () => {
    expect(await refusal(service().sales.getSale({ saleUuid: randomUUID() }))).toMatchObject({ code: "not_found" });
  });

  it("takes an SVM sale with the one mint that it may have", async () => {
    const saleUuid = await draftSale(
      service(),
      auction({
        paymentTokens: [{ address: MINT, decimals: 9 }],
        source: { case: "svm", value: { chain: "solana", saleAccount: MINT } },
      }),
    );
    const { sale } = await service().sales.getSale({ saleUuid });
    expect(sale?.definition?.source).toMatchObject({ case: "svm", value: { chain: "solana", saleAccount: MINT } });
    expect(sale?.definition?.paymentTokens[0]?.address).toBe(MINT);
  });
});
