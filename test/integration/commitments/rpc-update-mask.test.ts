import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { type SaleDefinition, SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  auction,
  draftSale,
  evmSource,
  openedSale,
  refusal,
  violatedFields,
} from "../../support/sales/sale-messages.ts";

type DefinitionInit = MessageInitShape<typeof SaleDefinitionSchema>;

const PRESENTATION = { description: "What is sold", website: "https://founder.example/", opensAtSeconds: 5n };

describeCommitments("UpdateSale with a mask", (service) => {
  const saleOf = async (saleUuid: string) => (await service().sales.getSale({ saleUuid })).sale;
  const definitionOf = async (saleUuid: string) =>
    create(SaleDefinitionSchema, (await saleOf(saleUuid))?.definition ?? {});

  async function update(saleUuid: string, definition: DefinitionInit, paths: string[]): Promise<SaleDefinition> {
    const expectedDefinitionVersion = (await saleOf(saleUuid))?.definitionVersion ?? 0n;
    const request = { saleUuid, definition, expectedDefinitionVersion, updateMask: { paths } };
    await service().sales.checkSale({ ...request, tenancy: 1 });
    await service().sales.updateSale(request);
    return definitionOf(saleUuid);
  }

  /** Stores what a later version has stored with the sale, in a setting and beside what people read. */
  async function storeLaterFields(saleUuid: string): Promise<void> {
    const row = service().database.write(async (transaction) => {
      const where = ["sale", "=", bytesOfHex(saleUuid)] as const;
      const { definition } = await transaction
        .selectFrom("sale")
        .select("definition")
        .where(...where)
        .executeTakeFirstOrThrow();
      const stored = JSON.parse(definition);
      const later = {
        ...stored,
        laterSetting: 7,
        presentation: { ...stored.presentation, contactAddress: "a@b.example" },
      };
      await transaction
        .updateTable("sale")
        .set({ definition: JSON.stringify(later) })
        .where(...where)
        .execute();
    });
    await row;
  }

  async function laterFields(saleUuid: string): Promise<unknown> {
    const { definition } = await service().database.snapshot((transaction) =>
      transaction
        .selectFrom("sale")
        .select("definition")
        .where("sale", "=", bytesOfHex(saleUuid))
        .executeTakeFirstOrThrow(),
    );
    const { laterSetting, presentation } = JSON.parse(definition);
    return { laterSetting, contactAddress: presentation?.contactAddress };
  }

  it("changes what the mask names, and nothing that the writer leaves out", async () => {
    const saleUuid = await openedSale(service(), auction({ presentation: PRESENTATION, source: evmSource() }));
    const before = await definitionOf(saleUuid);
    const website = "https://other.example/";
    expect(await update(saleUuid, { presentation: { website } }, ["presentation.website"])).toEqual({
      ...before,
      presentation: { ...before.presentation, website },
    });
    expect(await update(saleUuid, { name: "Renamed", extraDataParameters: "uint64 a" }, ["name"])).toMatchObject({
      name: "Renamed",
      extraDataParameters: before.extraDataParameters,
      presentation: { ...PRESENTATION, website },
    });
  });

  it("removes what the mask names and the request lacks", async () => {
    const saleUuid = await draftSale(service(), auction({ presentation: PRESENTATION, source: evmSource() }));
    const bare = await update(saleUuid, {}, ["presentation.opens_at_seconds", "presentation.website", "evm", "svm"]);
    expect(bare.source.case).toBeUndefined();
    expect(bare.presentation).toMatchObject({ description: "What is sold", website: "" });
    expect(bare.presentation?.opensAtSeconds).toBeUndefined();
    expect((await update(saleUuid, {}, ["presentation"])).presentation).toBeUndefined();
  });

  it("keeps what a later version has stored, with a mask, without one, and when the logo goes", async () => {
    const saleUuid = await draftSale(service(), auction({ presentation: PRESENTATION }));
    await storeLaterFields(saleUuid);
    const later = { laterSetting: 7, contactAddress: "a@b.example" };
    await update(saleUuid, { presentation: { description: "Other" } }, ["presentation.description"]);
    expect(await laterFields(saleUuid)).toEqual(later);
    await update(saleUuid, auction({ name: "Renamed", presentation: {} }), []);
    expect(await laterFields(saleUuid)).toEqual(later);
    expect((await definitionOf(saleUuid)).presentation?.website ?? "").toBe("");
    await service().sales.setSaleLogo({ saleUuid, image: new Uint8Array() });
    expect(await laterFields(saleUuid)).toEqual(later);
  });

  it("refuses a path that names no field, by the path, and changes nothing", async () => {
    const saleUuid = await openedSale(service());
    const call = () =>
      refusal(update(saleUuid, auction({ name: "Other" }), ["name", "presentation.colour", "pricing"]));
    const error = await expectUnchanged(service().database, saleUuid, call);
    expect(error).toMatchObject({ code: "invalid_argument" });
    expect(error.violations.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      "update_mask: presentation.colour names no field of the definition",
      "update_mask: pricing names no field of the definition",
    ]);
  });

  it("checks what the update makes of the stored definition, by the rules of the contract", async () => {
    const saleUuid = await draftSale(service());
    expect(await violatedFields(update(saleUuid, {}, ["name", "payment_tokens"]))).toEqual([
      "definition.name",
      "definition.payment_tokens",
    ]);
    const supply = { presentation: { totalSupply: "many" } };
    expect(await violatedFields(update(saleUuid, supply, ["presentation.total_supply"]))).toEqual([
      "definition.presentation.total_supply",
    ]);
  });
});
