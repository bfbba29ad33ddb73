import { expect, it } from "vitest";
import { type SalePresentation, SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  apply,
  auction,
  type DefinitionInit,
  draftSale,
  evmSource,
  openedSale,
  violatedFields,
} from "../../support/sales/sale-messages.ts";

const PRESENTATION = {
  description: "What is sold,\nand why.",
  website: "https://founder.example/",
  offeredTokenSymbol: "TIDE",
  opensAtSeconds: 0n,
  closesAtSeconds: 253_402_300_799n,
  totalSupply: (2n ** 256n - 1n).toString(),
};

describeCommitments("what people read about a sale", (service) => {
  const getSale = async (saleUuid: string) => (await service().sales.getSale({ saleUuid })).sale;
  const read = (saleUuid: string) => service().commitments.getCommitmentData({ saleUuid });
  const presentationOf = async (saleUuid: string) => (await getSale(saleUuid))?.definition?.presentation;

  async function update(saleUuid: string, definition: DefinitionInit): Promise<SalePresentation | undefined> {
    const expectedDefinitionVersion = (await getSale(saleUuid))?.definitionVersion ?? 0n;
    await service().sales.updateSale({ saleUuid, definition, expectedDefinitionVersion });
    return presentationOf(saleUuid);
  }

  it("is stored as it was sent, in a draft and in an open sale, and each change is a revision", async () => {
    const draft = await draftSale(service(), auction({ presentation: PRESENTATION }));
    expect(await presentationOf(draft)).toMatchObject(PRESENTATION);
    const saleUuid = await openedSale(service());
    expect((await read(saleUuid)).sale?.presentation).toBeUndefined();
    const { revision } = await read(saleUuid);
    expect(await update(saleUuid, auction({ presentation: PRESENTATION }))).toMatchObject(PRESENTATION);
    const after = await read(saleUuid);
    expect(after.revision).toBe(revision + 1n);
    expect(after.sale?.presentation).toMatchObject(PRESENTATION);
  });

  it("has a contact, an e-mail address or a page", async () => {
    const saleUuid = await openedSale(service(), auction({ presentation: { contact: " Help@Sale.Example" } }));
    expect((await read(saleUuid)).sale?.presentation).toMatchObject({ contact: "help@sale.example" });
    expect(await update(saleUuid, auction({ presentation: {} }))).toMatchObject({ contact: "help@sale.example" });
    const failed = update(saleUuid, auction({ presentation: { contact: "http://sale.example" } }));
    expect(await violatedFields(failed)).toEqual(["definition.presentation.contact"]);
  });

  it("has later times, each after those before it, and terms in the founder's words", async () => {
    const later = {
      ...{
        announcedAtSeconds: 1n,
        opensAtSeconds: 2n,
        closesAtSeconds: 3n,
        cancelUntilSeconds: 4n,
        settlesAtSeconds: 5n,
      },
      ...{ claimsAtSeconds: 6n, refundedBySeconds: 7n, vestedBySeconds: 8n },
      ...{ claimTerms: "Claim it", refundTerms: "To the same wallet", vestingTerms: "At once" },
    };
    const saleUuid = await openedSale(service(), auction({ presentation: later }));
    expect((await read(saleUuid)).sale?.presentation).toMatchObject(later);
    const failed = update(saleUuid, auction({ presentation: { ...later, settlesAtSeconds: 4n, claimTerms: "<b>" } }));
    expect(await violatedFields(failed)).toEqual([
      "definition.presentation.settles_at_seconds",
      "definition.presentation.claim_terms",
    ]);
  });

  it("stays where an update says nothing about it, as one of an older caller, and goes where it is empty", async () => {
    const saleUuid = await openedSale(service(), auction({ presentation: PRESENTATION }));
    expect(await update(saleUuid, auction({ name: "Renamed" }))).toMatchObject(PRESENTATION);
    expect(await update(saleUuid, auction({ name: "Renamed", presentation: {} }))).toBeUndefined();
    expect((await read(saleUuid)).sale).not.toHaveProperty("presentation", expect.anything());
  });

  it("refuses mark-up in an open sale as well, by the name of the field", async () => {
    const saleUuid = await openedSale(service());
    const failed = update(saleUuid, auction({ presentation: { ...PRESENTATION, description: "<b>" } }));
    expect(await violatedFields(failed)).toEqual(["definition.presentation.description"]);
  });

  it("has the amount for sale at a fixed price", async () => {
    const pricing = { case: "fixed" as const, value: { priceTicks: "5", offeredAmount: "100000" } };
    const saleUuid = await openedSale(service(), auction({ pricing }));
    expect((await read(saleUuid)).sale).toMatchObject({ offeredAmount: "100000", fixedPrice: {} });
    expect((await getSale(saleUuid))?.definition?.pricing).toMatchObject(pricing);
  });

  it("has the terms as prices, the tokens and the source", async () => {
    const saleUuid = await openedSale(service(), auction({ source: evmSource() }));
    const duration = { seconds: 60n };
    await service().commitments.acquireSaleLease({ saleUuid, holder: "reader-1", duration });
    await apply(service(), saleUuid, { leaseEpoch: 1n, stage: SaleStage.COMMITMENT });
    const definition = (await getSale(saleUuid))?.definition;
    const { sale } = await read(saleUuid);
    expect(sale).toMatchObject({ stage: SaleStage.COMMITMENT, source: definition?.source });
    expect(sale?.paymentTokens).toEqual(definition?.paymentTokens);
    expect(sale?.offeredTokenDecimals).toBe(definition?.offeredTokenDecimals);
    if (definition?.pricing.case !== "auction") throw new Error("the sale is no auction");
    const { offeredAmount, floorTicks, incrementTicks } = definition.pricing.value;
    const { numerator = "", denominator = "" } = definition.priceTick ?? {};
    const priceOf = (ticks: string) => ({ numerator: `${BigInt(ticks) * BigInt(numerator)}`, denominator });
    expect(sale?.priceTick).toMatchObject({ numerator, denominator });
    expect(sale?.auction).toMatchObject({
      offeredAmount,
      floorPrice: priceOf(floorTicks),
      incrementPrice: priceOf(incrementTicks),
    });
    expect(sale?.extraDataParameters).toBe(definition.extraDataParameters);
  });

  it("has the stage in a revision of its own, whose event says that readers must load the sale", async () => {
    const saleUuid = await openedSale(service(), auction({ source: evmSource() }));
    const duration = { seconds: 60n };
    await service().commitments.acquireSaleLease({ saleUuid, holder: "reader-1", duration });
    const revisionAt = async (stage: SaleStage) => {
      await apply(service(), saleUuid, { leaseEpoch: 1n, stage });
      const { revision, sale } = await read(saleUuid);
      expect(sale?.stage).toBe(stage);
      return revision;
    };
    const first = await revisionAt(SaleStage.PRE_OPEN);
    expect(await revisionAt(SaleStage.COMMITMENT)).toBe(first + 1n);
    expect(await revisionAt(SaleStage.COMMITMENT)).toBe(first + 1n);
    expect(await revisionAt(SaleStage.CANCELLATION)).toBe(first + 2n);
  });

  it("has the chain as its reader reports it, without a revision, and keeps it when an older reader reports", async () => {
    const saleUuid = await openedSale(service(), auction({ source: evmSource() }));
    const duration = { seconds: 60n };
    await service().commitments.acquireSaleLease({ saleUuid, holder: "reader-1", duration });
    await apply(service(), saleUuid, { leaseEpoch: 1n });
    const { revision } = await read(saleUuid);
    const chain = { chainId: 2n ** 53n - 1n, contractUrl: "https://explorer.example/address/0xc2" };
    for (const report of [{ chain }, {}]) {
      await service()
        .as("indexer")
        .commitments.reportSourceStatus({ saleUuid, leaseEpoch: 1n, ...report });
      expect(await read(saleUuid)).toMatchObject({ revision, feedState: { chain } });
      const { revisions } = await service().commitments.getRevisions({ saleUuids: [saleUuid] });
      expect(revisions).toMatchObject([{ revision, feedState: { chain } }]);
    }
  });
});
