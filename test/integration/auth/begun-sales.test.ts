import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { Role, SaleEventKind } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { describeAuth } from "../../support/processes/auth-fixture.ts";
import { auction, refusal, violatedFields } from "../../support/sales/sale-messages.ts";

const draft = { tenancy: Tenancy.TEST, definition: auction() };

describeAuth("a sale that was begun", (service) => {
  const somebody = async () => {
    const person = await service().signIn(`somebody-${randomUUID()}@example.com`);
    return { ...person, sales: (await service().saleClientsOf(person)).sales };
  };

  it("has the same ID on every visit, with what was entered last, until it is created", async () => {
    const { sales } = await somebody();
    const { saleUuid, entries } = await sales.beginSale({});
    expect(entries).toBe("");
    await sales.keepBegunSale({ saleUuid, entries: "name=Harb%C3%B6r" });
    await sales.keepBegunSale({ saleUuid: saleUuid.toUpperCase(), entries: "name=Harbour" });
    expect(await sales.beginSale({})).toMatchObject({ saleUuid, entries: "name=Harbour" });
    expect((await sales.createSale({ ...draft, saleUuid })).sale?.uuid).toBe(saleUuid);
    expect(await refusal(sales.keepBegunSale({ saleUuid, entries: "" }))).toMatchObject({ code: "not_found" });
    const next = await sales.beginSale({});
    expect(next).toMatchObject({ saleUuid: expect.not.stringMatching(saleUuid), entries: "" });
  });

  it("is one, however many visits begin at once", async () => {
    const { sales } = await somebody();
    const begun = await Promise.all(Array.from({ length: 5 }, () => sales.beginSale({})));
    expect(new Set(begun.map(({ saleUuid }) => saleUuid)).size).toBe(1);
  });

  it("is nobody else's: others can neither create it, check it nor enter anything", async () => {
    const [owner, rival] = [await somebody(), await somebody()];
    const { saleUuid } = await owner.sales.beginSale({});
    const taken = { code: "already_exists" };
    expect(await refusal(rival.sales.createSale({ ...draft, saleUuid }))).toMatchObject(taken);
    expect(await refusal(rival.sales.checkSale({ ...draft, saleUuid }))).toMatchObject(taken);
    expect(await refusal(service().commitments.sales.createSale({ ...draft, saleUuid }))).toMatchObject(taken);
    const kept = rival.sales.keepBegunSale({ saleUuid, entries: "name=x" });
    expect(await refusal(kept)).toMatchObject({ code: "not_found" });
    expect((await rival.sales.beginSale({})).saleUuid).not.toBe(saleUuid);
    await expect(owner.sales.createSale({ ...draft, saleUuid })).resolves.toBeDefined();
  });

  it("is another one for each copy of a sale that the person may see", async () => {
    const [owner, stranger] = [await somebody(), await somebody()];
    const copyOf = (await owner.sales.createSale(draft)).sale?.uuid ?? "";
    const [plain, copy] = [await owner.sales.beginSale({}), await owner.sales.beginSale({ copyOf })];
    expect(copy.saleUuid).not.toBe(plain.saleUuid);
    expect(await owner.sales.beginSale({ copyOf })).toEqual(copy);
    expect(await refusal(stranger.sales.beginSale({ copyOf }))).toMatchObject({ code: "not_found" });
  });
});

describeAuth("the check of a sale", (service) => {
  const somebody = async () =>
    (await service().saleClientsOf(await service().signIn(`a-${randomUUID()}@example.com`))).sales;

  it("refuses a new sale as its creation does, and creates none", async () => {
    const sales = await somebody();
    const saleUuid = randomUUID();
    const wrong = auction({ name: "<b>Harbour", paymentTokens: [{ address: "nonsense", decimals: 6 }] });
    const checked = await violatedFields(sales.checkSale({ ...draft, saleUuid, definition: wrong }));
    expect(checked).toEqual(["definition.name", "definition.payment_tokens[0].address"]);
    expect(await violatedFields(sales.createSale({ ...draft, saleUuid, definition: wrong }))).toEqual(checked);
    await sales.checkSale({ ...draft, saleUuid });
    expect(await refusal(sales.getSale({ saleUuid }))).toMatchObject({ code: "not_found" });
  });

  it("refuses a change as the change itself is refused, and changes nothing", async () => {
    const [sales, stranger] = [await somebody(), await somebody()];
    const saleUuid = (await sales.createSale(draft)).sale?.uuid ?? "";
    const change = { saleUuid, tenancy: Tenancy.TEST, expectedDefinitionVersion: 1n };
    const renamed = { ...change, definition: auction({ name: "Renamed" }) };
    await sales.checkSale(renamed);
    expect((await sales.getSale({ saleUuid })).sale).toMatchObject({ definitionVersion: 1n });
    const wrong = sales.checkSale({ ...change, definition: auction({ name: "a\u200fb" }) });
    expect(await violatedFields(wrong)).toEqual(["definition.name"]);
    const late = sales.checkSale({ ...renamed, expectedDefinitionVersion: 2n });
    expect(await refusal(late)).toMatchObject({ code: "aborted" });
    expect(await refusal(stranger.checkSale(renamed))).toMatchObject({ code: "not_found" });
  });

  it("refuses the UUID of a sale that was changed since its creation, as a repeated creation does", async () => {
    const sales = await somebody();
    const saleUuid = (await sales.createSale(draft)).sale?.uuid ?? "";
    await sales.checkSale({ ...draft, saleUuid });
    await sales.updateSale({ saleUuid, definition: auction({ name: "Renamed" }), expectedDefinitionVersion: 1n });
    expect(await refusal(sales.checkSale({ ...draft, saleUuid }))).toMatchObject({ code: "already_exists" });
  });
});

describeAuth(
  "a sale where founders need an invitation",
  (service) => {
    it("is begun and checked by invited founders only", async () => {
      const email = `founder-${randomUUID()}@example.com`;
      const person = await service().signIn(email);
      const { sales } = await service().saleClientsOf(person);
      const saleUuid = randomUUID();
      for (const call of [() => sales.beginSale({}), () => sales.checkSale({ ...draft, saleUuid })]) {
        expect(await refusal(call())).toMatchObject({ code: "permission_denied" });
      }
      await service().memberships.inviteFounder({ email });
      await expect(sales.beginSale({})).resolves.toBeDefined();
      await expect(sales.checkSale({ ...draft, saleUuid })).resolves.toBeDefined();
      const { accountUuid } = person;
      expect(await service().as("commitments").memberships.getRole({ saleUuid, accountUuid })).toMatchObject({
        role: Role.UNSPECIFIED,
      });
    });
  },
  { founders: "invited" },
);

describeAuth("the activity log", (service) => {
  it("says which settings of a sale were changed, in money", async () => {
    const person = await service().signIn(`owner-${randomUUID()}@example.com`);
    const { sales } = await service().saleClientsOf(person);
    const definition = { ...auction(), paymentTokenDecimals: 6, offeredTokenDecimals: 18, name: "Harbour" };
    const priceTick = { numerator: "1", denominator: "200000000000000" };
    const fixed = (priceTicks: bigint) => ({ case: "fixed" as const, value: { priceTicks: String(priceTicks) } });
    const before = { ...definition, priceTick, pricing: fixed(20n) };
    const saleUuid = (await sales.createSale({ tenancy: Tenancy.TEST, definition: before })).sale?.uuid ?? "";
    const after = { ...before, name: "Pier", pricing: fixed(30n) };
    await sales.updateSale({ saleUuid, definition: after, expectedDefinitionVersion: 1n });
    const { events } = await (await service().asPerson(person)).memberships.listSaleEvents({ saleUuid });
    const changed = events.find(({ kind }) => kind === SaleEventKind.SALE_CHANGED);
    expect(changed?.changes.map((change) => [change.field, change.before, change.after])).toEqual([
      ["Name", "Harbour", "Pier"],
      ["Price", "0.1 dollars per token", "0.15 dollars per token"],
    ]);
  });
});
