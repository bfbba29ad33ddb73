import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { exactFormat } from "../../../common/sale/csv/commitment-csv.ts";
import { beginExport } from "../../../common/sale/csv/commitment-export.ts";
import { definitionMessage } from "../../../common/sale/definition/definition-message.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { countsDemand } from "../../../common/sale/figures/bid-demand.ts";
import { priceOfTicks } from "../../../common/sale/figures/price.ts";
import { recordMessage } from "../../../common/sale/record/commitment-message.ts";
import { stageMessage } from "../../../common/sale/state/stage.ts";
import { publicBody } from "../../../gateway/public-read/cache/public-body.ts";
import { saleFields } from "../../../gateway/public-read/cache/sale-json.ts";
import { ClearingRule } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { ImportFile } from "../../../services/cli/commitments/commitment-file.ts";
import { NaiveSale } from "../../support/chains/naive-sale.ts";
import { sumsFromRows, sumsStored } from "../../support/databases/tick-sums.ts";
import { type CommitmentsFixture, describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { definitions, type Step, steps } from "../../support/sales/arbitrary-sale.ts";
import {
  amountOf,
  apply,
  auction,
  draftSale,
  openedSale,
  record,
  violatedFields,
} from "../../support/sales/sale-messages.ts";

const Q96 = 2n ** 96n;
const RULE = ClearingRule.LOWEST_NOT_OUTBID;

/** 2^96 ticks are one smallest payment unit for each of a thousand offered ones. */
const value = { offeredAmount: "1000", floorTicks: String(Q96), incrementTicks: "1", clearingRule: RULE };
const OUTBIDDING = auction({
  priceTick: { numerator: "1", denominator: String(Q96) },
  pricing: { case: "auction", value },
  widePrices: true,
});

/** A bid far above what clears. @param demand undefined for its amount */
const bid = (number: number, units: bigint, demand?: bigint) =>
  record(number, {
    priceTicks: String(50n * Q96),
    amounts: [amountOf(units)],
    ...(demand !== undefined && { demand: String(demand) }),
  });

const outbidding: fc.Arbitrary<SaleDefinition> = definitions.filter(countsDemand);
const histories = outbidding.chain((definition) =>
  fc.record({ definition: fc.constant(definition), steps: steps(definition) }),
);

describeCommitments("an auction that clears where nobody is outbid", (service) => {
  const answerOf = async (saleUuid: string, from: CommitmentsFixture = service()) => {
    const { data, sale } = await from.commitments.getCommitmentData({ saleUuid });
    if (data === undefined || sale === undefined) throw new Error("the service answered without data");
    return { data, sale };
  };
  const clearingOf = async (saleUuid: string) => (await answerOf(saleUuid)).data.clearingPrice?.price?.numerator;
  const expectSums = async (saleUuid: string) => {
    expect(await sumsStored(service().database, saleUuid)).toEqual(await sumsFromRows(service().database, saleUuid));
  };

  async function send(saleUuid: string, { upserts, removals, stage, parts }: Step): Promise<void> {
    const changeSetUuid = randomUUID();
    for (let part = 0; part < parts; part++) {
      const isOfPart = (_: unknown, index: number) => index % parts === part;
      await apply(service(), saleUuid, {
        upserts: upserts.filter(isOfPart).map(recordMessage),
        removals: removals.filter(isOfPart).map((id) => new Uint8Array(Buffer.from(id, "hex"))),
        ...(stage !== undefined && { stage: stageMessage(stage) }),
        ...(parts > 1 && { changeSet: { changeSetUuid, part, last: part === parts - 1 } }),
      });
    }
  }

  it("has the figures of a recomputation after any applies, change sets and settlements", {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ definition, steps }) => {
        const { $typeName: _, ...message } = definitionMessage(definition);
        const saleUuid = await openedSale(service(), message);
        const naive = new NaiveSale(definition);
        for (const step of steps) {
          await send(saleUuid, step);
          naive.apply(step.upserts, step.removals, step.stage);
          const { data } = await answerOf(saleUuid);
          const { total, count, belowFloor, clearingTick = 0n } = naive.figures();
          const { numerator, denominator } = priceOfTicks(clearingTick, definition.priceTick);
          expect([data.totalAmount, data.commitmentCount, data.belowFloorAmount]).toEqual([
            String(total),
            count,
            String(belowFloor),
          ]);
          expect(data.clearingPrice?.price).toMatchObject({ numerator: `${numerator}`, denominator: `${denominator}` });
          await expectSums(saleUuid);
        }
      }),
      { numRuns: 15 },
    );
  });

  it("follows the demand of a bid alone, of its amount without one, and is the same again", async () => {
    const saleUuid = await openedSale(service(), OUTBIDDING);
    const steps: readonly [upserts: ReturnType<typeof bid>[], clearing: bigint][] = [
      [[bid(1, 2_000n)], 2n * Q96],
      [[bid(1, 2_000n, 3_000n * Q96)], 3n * Q96],
      [[bid(1, 2_000n, 3_000n * Q96 + 1n)], 3n * Q96 + 1n],
      [[bid(2, 1_000n, 0n)], 3n * Q96 + 1n],
      [[bid(2, 1_000n, 999n)], 3n * Q96 + 1n],
      [[bid(2, 1_000n, 1_000n)], 3n * Q96 + 2n],
      [[bid(1, 2_000n)], 2n * Q96 + 1n],
      [[bid(1, 0n, 2n ** 256n - 1n)], Q96],
    ];
    for (const [upserts, clearing] of steps) {
      const { revision } = await apply(service(), saleUuid, { upserts });
      expect(await clearingOf(saleUuid)).toBe(String(clearing));
      expect((await apply(service(), saleUuid, { upserts })).revision).toBe(revision);
      await expectSums(saleUuid);
    }
    await apply(service(), saleUuid, { removals: [1, 2].map((number) => record(number).commitmentId as Uint8Array) });
    expect(await clearingOf(saleUuid)).toBe(String(Q96));
    expect((await sumsStored(service().database, saleUuid)).size).toBe(0);
  });

  it("shows its rule, money in its levels, and what the price means for each bid", async () => {
    const saleUuid = await openedSale(service(), OUTBIDDING);
    const at = (number: number, ticks: bigint) => ({ ...bid(number, 1_000n, 2_000n * Q96), priceTicks: String(ticks) });
    await apply(service(), saleUuid, { upserts: [at(1, 9n * Q96), at(2, 3n * Q96), at(3, 2n * Q96)] });
    const { data, sale } = await answerOf(saleUuid);
    const body = JSON.parse(publicBody(data).bytes().toString());
    expect(body).toMatchObject({ ClearingPriceNumerator: String(3n * Q96), TotalCommitmentAmount: "3000" });
    const facts = saleFields({ saleUuid, summary: sale, chain: undefined, signer: "", origin: "" });
    expect(JSON.parse(`{${facts}}`)).toMatchObject({ ClearingRule: "lowest_not_outbid", IncrementNumerator: "1" });
    const { levels, clearingTick } = await service().commitments.getPriceLevels({ saleUuid });
    expect(clearingTick).toBe(String(3n * Q96));
    expect(levels.map(({ amount }) => amount)).toEqual(["1000", "1000", "1000"]);
    const { points } = await service().commitments.getHistory({ saleUuid });
    expect(points.at(-1)?.clearingPrice?.price?.numerator).toBe(String(3n * Q96));
    const { commitments } = await service().commitments.getPosition({ saleUuid, wallet: amountOf(1n).wallet });
    const outcomes = commitments.map(({ clearingOutcome }) => clearingOutcome);
    expect(new Set(outcomes).size).toBe(3);
    // Half of the demand at the price, and all of it counts there.
    await apply(service(), saleUuid, { upserts: [{ ...at(2, 3n * Q96), demand: String(1_000n * Q96) }] });
    const { commitments: now } = await service().commitments.getPosition({ saleUuid, wallet: amountOf(1n).wallet });
    expect(now[1]?.clearingOutcome).toBe(now[0]?.clearingOutcome);
  });

  it("comes back from a CSV file with its demand, which no other sale takes", async () => {
    const [from, to] = [await openedSale(service(), OUTBIDDING), await openedSale(service(), OUTBIDDING)];
    await apply(service(), from, { upserts: [bid(1, 2_000n, 2n ** 256n - 1n), bid(2, 5n), bid(3, 5n, 0n)] });
    const { csv, definition } = await beginExport(service().commitments.exportCommitments({ saleUuid: from }));
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const path = join(folder.path, "rows.csv");
    await writeFile(path, csv(exactFormat(definition)));
    const upserts = await Array.fromAsync(new ImportFile(path).commitments(), ({ record }) => record);
    await apply(service(), to, { upserts });
    const digestsOf = async (saleUuid: string) => (await service().commitments.listDigests({ saleUuid })).digests;
    expect(await digestsOf(to)).toEqual(await digestsOf(from));
    expect(await clearingOf(to)).toBe(await clearingOf(from));
    const usual = await openedSale(service());
    expect(await violatedFields(apply(service(), usual, { upserts: [record(1, { demand: "0" })] }))).toEqual([
      "upserts[0].demand",
    ]);
  });

  it("refuses what is no demand, a step of a grid, and another rule or price tick once it is open", async () => {
    const saleUuid = await openedSale(service(), OUTBIDDING);
    for (const demand of ["-1", "01", "1.5", String(2n ** 256n)]) {
      const upserts = [{ ...bid(1, 1n), demand }];
      expect(await violatedFields(apply(service(), saleUuid, { upserts }))).toEqual(["upserts[0].demand"]);
    }
    const changed = (change: object) =>
      service().sales.updateSale({ saleUuid, expectedDefinitionVersion: 1n, definition: { ...OUTBIDDING, ...change } });
    const usual = {
      pricing: { case: "auction" as const, value: { ...value, clearingRule: ClearingRule.HIGHEST_COVERED } },
    };
    expect(await violatedFields(changed(usual))).toEqual(["definition.auction.clearing_rule"]);
    const priceTick = { numerator: "1", denominator: String(2n * Q96) };
    expect(await violatedFields(changed({ priceTick }))).toEqual(["definition.price_tick"]);
    const step = { pricing: { case: "auction" as const, value: { ...value, incrementTicks: "2" } } };
    expect(await violatedFields(draftSale(service(), { ...OUTBIDDING, ...step }))).toEqual([
      "definition.auction.increment_ticks",
    ]);
    const floor = { pricing: { case: "auction" as const, value: { ...value, floorTicks: String(7n * Q96) } } };
    await changed(floor);
    expect(await clearingOf(saleUuid)).toBe(String(7n * Q96));
  });
});
