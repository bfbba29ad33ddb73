import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { jpegImage, pngImage } from "../../../services/auth/testing/images.ts";
import { operatorsOnly } from "../../../services/commitments/base/sale-authority.ts";
import { createCommitmentsStore } from "../../../services/commitments/create-store.ts";
import { setSaleLogo } from "../../../services/commitments/sales/sale-logo-rpc.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  apply,
  auction,
  draftSale,
  openedSale,
  record,
  refusal,
  violatedFields,
} from "../../support/sales/sale-messages.ts";

const hashOf = (image: Uint8Array) => createHash("sha256").update(image).digest("hex");

describeCommitments("the logo of a sale", (service) => {
  const set = async (saleUuid: string, image: Uint8Array<ArrayBuffer>) =>
    (await service().sales.setSaleLogo({ saleUuid, image })).sale;
  const read = (logo: string) => service().as("gateway").commitments.getSaleLogo({ logo });
  const logoOf = async (saleUuid: string) =>
    (await service().commitments.getCommitmentData({ saleUuid })).sale?.presentation?.logo;

  it("is stored without what is behind it, read by its hash, and a revision of the sale", async () => {
    const saleUuid = await openedSale(service());
    const { revision } = await service().commitments.getCommitmentData({ saleUuid });
    const image = Uint8Array.from(pngImage(64, 64));
    const logo = hashOf(image);
    const sale = await set(saleUuid, Uint8Array.from([...image, 1, 2, 3]));
    expect(sale).toMatchObject({ revision: revision + 1n, definition: { presentation: { logo } } });
    expect(await logoOf(saleUuid)).toBe(logo);
    expect(await read(logo)).toMatchObject({ mediaType: "image/png", image });
    await expectUnchanged(service().database, saleUuid, () => set(saleUuid, image));
  });

  it("takes the place of the one before, which nobody finds then, and goes with an empty image", async () => {
    const saleUuid = await openedSale(service(), auction({ presentation: { website: "https://a.example/" } }));
    const [first, second] = [Uint8Array.from(pngImage(32, 32)), Uint8Array.from(jpegImage(48, 48))];
    await set(saleUuid, first);
    await set(saleUuid, second);
    expect(await refusal(read(hashOf(first)))).toMatchObject({ code: "not_found" });
    expect((await read(hashOf(second))).mediaType).toBe("image/jpeg");
    expect((await set(saleUuid, new Uint8Array()))?.definition?.presentation).toMatchObject({
      logo: "",
      website: "https://a.example/",
    });
    expect(await refusal(read(hashOf(second)))).toMatchObject({ code: "not_found" });
  });

  it("stays when the sale's other settings change, and isn't what a caller says", async () => {
    const saleUuid = await openedSale(service());
    const image = Uint8Array.from(pngImage(16, 16));
    await set(saleUuid, image);
    const other = "00".repeat(32);
    for (const [version, presentation] of [
      [2n, { description: "New", logo: other }],
      [3n, { logo: other }],
      [4n, undefined],
    ] as const) {
      const definition = auction({ name: `Renamed ${version}`, ...(presentation && { presentation }) });
      await service().sales.updateSale({ saleUuid, definition, expectedDefinitionVersion: version });
      expect(await logoOf(saleUuid)).toBe(hashOf(image));
    }
    const created = await draftSale(service(), auction({ presentation: { logo: other } }));
    expect((await service().sales.getSale({ saleUuid: created })).sale?.definition?.presentation).toBeUndefined();
  });

  it("is the same image for several sales, each of which can leave it", async () => {
    const image = Uint8Array.from(pngImage(24, 24));
    const [one, two] = [await openedSale(service()), await openedSale(service())];
    for (const sale of [one, two]) await set(sale, image);
    await set(one, new Uint8Array());
    expect((await read(hashOf(image))).image).toEqual(image);
  });

  it("isn't changed if the change that was recorded is none of the sale as it is by then", async () => {
    const saleUuid = await openedSale(service());
    const { database, sales } = service();
    const store = createCommitmentsStore(database);
    const image = { mediaType: "image/png", bytes: pngImage(20, 20) } as const;
    const recordChange = async () => {
      await sales.setSaleLogo({ saleUuid, image: Uint8Array.from(pngImage(21, 21)) });
    };
    const context = { store, authority: { ...operatorsOnly, recordChange } };
    await expect(setSaleLogo(context, { kind: "operator" }, { saleUuid, image })).rejects.toMatchObject({
      code: "aborted",
    });
    expect(await logoOf(saleUuid)).toBe(hashOf(Uint8Array.from(pngImage(21, 21))));
  });

  it("isn't found once its sale is withdrawn, or its draft deleted", async () => {
    const [opened, draft] = [await openedSale(service()), await draftSale(service())];
    const [first, second] = [Uint8Array.from(pngImage(40, 40)), Uint8Array.from(pngImage(41, 41))];
    await set(opened, first);
    await set(draft, second);
    expect((await read(hashOf(second))).image).toEqual(second);
    const nameOf = async (saleUuid: string) => (await service().sales.getSale({ saleUuid })).sale?.definition?.name;
    await service().sales.withdrawSale({ saleUuid: opened, confirmName: (await nameOf(opened)) ?? "" });
    await service().sales.deleteDraft({ saleUuid: draft, confirmName: (await nameOf(draft)) ?? "" });
    for (const image of [first, second]) {
      expect(await refusal(read(hashOf(image)))).toMatchObject({ code: "not_found" });
    }
    expect(await refusal(set(opened, second))).toMatchObject({ code: "failed_precondition" });
  });

  it.each([
    ["no image", Uint8Array.from(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"))],
    ["a large file", new Uint8Array(204_801)],
  ])("refuses %s", async (_, image) => {
    const saleUuid = await openedSale(service());
    const failed = () => violatedFields(set(saleUuid, image));
    expect(await expectUnchanged(service().database, saleUuid, failed)).toEqual(["image"]);
  });

  it("waits while a change set is open, as readers get the state from before it", async () => {
    const saleUuid = await openedSale(service());
    const changeSet = { changeSetUuid: "44444444-4444-4444-8444-444444444444", part: 0, last: false };
    await apply(service(), saleUuid, { upserts: [record(1)], changeSet });
    const failed = refusal(set(saleUuid, Uint8Array.from(pngImage(8, 8))));
    expect(await failed).toMatchObject({ code: "failed_precondition" });
  });
});
