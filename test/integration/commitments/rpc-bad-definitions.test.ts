import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  auction,
  auctionPricing,
  type DefinitionInit,
  draftSale,
  refusal,
  usdx,
  violatedFields,
} from "../../support/sales/sale-messages.ts";

const TOO_LARGE = (2n ** 256n).toString();
const tokenOf = (address: string) => ({ paymentTokens: [{ ...usdx, address }] });

/** One mistake by the contract's own rules, one by the domain's; definition-request.test.ts has all of them. */
const badDefinitions: [string, DefinitionInit, string][] = [
  ["no token", { paymentTokens: [] }, "payment_tokens"],
  ["a bad checksum", tokenOf("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"), "payment_tokens[0].address"],
];

describeCommitments("a definition is refused", (service) => {
  const create = (saleUuid: string, definition: DefinitionInit) =>
    service().sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition });

  it.each(badDefinitions)("with %s, naming the field", async (_, change, field) => {
    const saleUuid = randomUUID();
    expect(await violatedFields(create(saleUuid, auction(change)))).toEqual([`definition.${field}`]);
    expect(await refusal(service().sales.getSale({ saleUuid }))).toMatchObject({ code: "not_found" });
  });

  it("by UpdateSale as by CreateSale, and a draft stays as it is", async () => {
    const saleUuid = await draftSale(service());
    await expectUnchanged(service().database, saleUuid, async () => {
      for (const [description, change, field] of badDefinitions) {
        const update = { saleUuid, definition: auction(change), expectedDefinitionVersion: 1n };
        const fields = await violatedFields(service().sales.updateSale(update));
        expect([description, fields]).toEqual([description, [`definition.${field}`]]);
      }
    });
  });

  it("with all violations at once", async () => {
    const wrong = auction({ name: "a\nb", pricing: auctionPricing({ offeredAmount: TOO_LARGE }), ...tokenOf("USDX") });
    expect(await violatedFields(create(randomUUID(), wrong))).toEqual([
      "definition.name",
      "definition.payment_tokens[0].address",
      "definition.auction.offered_amount",
    ]);
  });

  it.each([
    ["no definition", { definition: undefined }, "definition"],
    ["an invalid UUID", { saleUuid: "sale" }, "sale_uuid"],
    ["an invalid owner", { ownerAccountUuid: "me" }, "owner_account_uuid"],
    ["no tenancy", { tenancy: Tenancy.UNSPECIFIED }, "tenancy"],
    ["an unknown tenancy", { tenancy: 9 as Tenancy }, "tenancy"],
  ])("by CreateSale with %s", async (_, change, field) => {
    const { definition, ...request } = {
      saleUuid: randomUUID(),
      tenancy: Tenancy.TEST,
      definition: auction() as DefinitionInit | undefined,
      ...change,
    };
    const call = service().sales.createSale({ ...request, ...(definition === undefined ? {} : { definition }) });
    expect(await violatedFields(call)).toEqual([field]);
  });

  it.each([
    ["no definition", {}, "definition"],
    ["an invalid UUID", { saleUuid: "sale", definition: auction() }, "sale_uuid"],
    ["no version", { expectedDefinitionVersion: 0n, definition: auction() }, "expected_definition_version"],
  ])("by UpdateSale with %s", async (_, change, field) => {
    const saleUuid = await draftSale(service());
    const call = () => service().sales.updateSale({ saleUuid, expectedDefinitionVersion: 1n, ...change });
    const fields = await expectUnchanged(service().database, saleUuid, () => violatedFields(call()));
    expect(fields).toEqual([field]);
  });

  it("leaves the tenancy of a sale as it was set", async () => {
    const saleUuid = await draftSale(service());
    await service().sales.updateSale({ saleUuid, definition: auction({ name: "B" }), expectedDefinitionVersion: 1n });
    expect((await service().sales.getSale({ saleUuid })).sale).toMatchObject({ tenancy: Tenancy.TEST });
    const live = () => service().sales.createSale({ saleUuid, tenancy: Tenancy.LIVE, definition: auction() });
    expect(await expectUnchanged(service().database, saleUuid, () => refusal(live()))).toMatchObject({
      code: "already_exists",
    });
  });
});
