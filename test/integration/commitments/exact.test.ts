import { randomUUID } from "node:crypto";
import { fromBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { presentCommitmentData } from "../../../common/sale/figures/commitment-data.ts";
import { createExtraDataParser } from "../../../common/sale/figures/extra-data.ts";
import { nextBody } from "../../../gateway/public-read/cache/next-body.ts";
import { publicBody } from "../../../gateway/public-read/cache/public-body.ts";
import type { CommitmentData } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { type SaleUpdated, SaleUpdatedSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { applyCommitments } from "../../../services/commitments/applying/apply-commitments-rpc.ts";
import { commitmentDataMessage } from "../../../services/commitments/base/commitment-message.ts";
import { readSaleSnapshot } from "../../../services/commitments/base/read-sale.ts";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import type { UnpublishedUpdate } from "../../../services/commitments/outbox/unpublished-updates.ts";
import { createSale } from "../../../services/commitments/sales/create-sale-rpc.ts";
import { NaiveSale } from "../../support/chains/naive-sale.ts";
import { APPLY_OPTIONS, openCommitmentsStore } from "../../support/databases/commitments-database.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import { expectFigures } from "../../support/databases/expected-figures.ts";
import { definitions, type Step, steps } from "../../support/sales/arbitrary-sale.ts";
import { openUnchecked, updateUnchecked } from "../../support/sales/unchecked-sales.ts";

const ANY_REVISION = { generation: "", revision: 0n };

const histories = definitions.chain((definition) =>
  fc.record({ definition: fc.constant(definition), steps: steps(definition) }),
);

describeEachDatabase("every figure equals a recomputation from the rows", (variant) => {
  /** Two, as of two processes: each knows a sale as it last saw it. */
  let opened: readonly [CommitmentsStore, CommitmentsStore];
  const events = new EventChanges();
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const created = await variant.create();
    remove = created.remove;
    const options = { onCommitted: (update: UnpublishedUpdate) => events.note(update) };
    opened = [await openCommitmentsStore(created, options), await openCommitmentsStore(created, options)];
  });
  afterAll(async () => {
    for (const { database } of opened) await database.close();
    await remove();
  });

  it("after any sequence of applies, stages, change sets and mended terms", { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ definition, steps }) => {
        const saleUuid = await openedSale(opened[0], definition);
        const naive = new NaiveSale(definition);
        for (const [index, step] of steps.entries()) {
          const store = index % 3 === 0 ? opened[0] : opened[1];
          const before = await shown(store, saleUuid);
          await applyStep(store, saleUuid, naive, step);
          events.check(before, await shown(store, saleUuid));
          await expectFigures(store, saleUuid, naive);
        }
      }),
      { numRuns: variant.name === "sqlite" ? 200 : 80 },
    );
    expect(events.checked).toBeGreaterThan(20);
  });
});

/** Compares the changes in events with the data that readers get. */
class EventChanges {
  /** The number of events with which a body could be made from the one before. */
  checked = 0;
  #events: SaleUpdated[] = [];

  note({ event }: UnpublishedUpdate): void {
    this.#events.push(fromBinary(SaleUpdatedSchema, event ?? new Uint8Array()));
  }

  check(before: Shown, after: Shown): void {
    const [event, ...others] = this.#events;
    this.#events = [];
    if (event === undefined || others.length > 0) return;
    const next = nextBody(publicBody(before.data), event);
    if (next === undefined) return;
    this.checked++;
    expect([event.revision, next.bytes().toString()]).toEqual([
      after.revision,
      publicBody(after.data).bytes().toString(),
    ]);
  }
}

async function openedSale(store: CommitmentsStore, definition: SaleDefinition): Promise<string> {
  const uuid = randomUUID();
  await createSale(store, { uuid, tenancy: "test", definition, ownerAccountUuid: "" });
  await openUnchecked(store, uuid);
  return uuid;
}

async function applyStep(store: CommitmentsStore, saleUuid: string, naive: NaiveSale, step: Step): Promise<void> {
  if (step.abandoned) await abandonChangeSet(store, saleUuid, naive, step);
  await (step.parts === 1 && !step.abandoned ? applyWhole : applyInParts)(store, saleUuid, step);
  naive.apply(step.upserts, step.removals, step.stage);
  if (step.mend !== undefined && naive.definition.pricing.kind === "auction") {
    naive.definition = { ...naive.definition, pricing: { kind: "auction", ...step.mend } };
    await mend(store, saleUuid, naive.definition);
  }
}

async function applyWhole(store: CommitmentsStore, saleUuid: string, step: Step): Promise<void> {
  const { upserts, removals, stage } = step;
  const request = { saleUuid, requestId: randomUUID(), upserts, removals, ...(stage === undefined ? {} : { stage }) };
  const first = await applyCommitments(store, request, APPLY_OPTIONS);
  const again = await applyCommitments(store, request, APPLY_OPTIONS);
  expect(again).toEqual({ ...first, repeated: true });
}

/** Nothing of a change set may show before its last part. */
async function applyInParts(store: CommitmentsStore, saleUuid: string, step: Step): Promise<void> {
  const before = await shown(store, saleUuid);
  const uuid = randomUUID();
  for (let part = 0; part < step.parts; part += 1) {
    const isOfPart = (_: unknown, index: number) => index % step.parts === part;
    expect(await shown(store, saleUuid)).toEqual(before);
    const request = {
      saleUuid,
      requestId: randomUUID(),
      upserts: step.upserts.filter(isOfPart),
      removals: step.removals.filter(isOfPart),
      ...(step.stage === undefined ? {} : { stage: step.stage }),
      changeSet: { uuid, part, last: part === step.parts - 1 },
    };
    await applyCommitments(store, request, APPLY_OPTIONS);
  }
}

/** Begins a change set that changes every row and abandons it; the next set restores the rows. */
async function abandonChangeSet(
  store: CommitmentsStore,
  saleUuid: string,
  naive: NaiveSale,
  step: Step,
): Promise<void> {
  const begin = { saleUuid, removals: [], ...(step.stage === undefined ? {} : { stage: step.stage }) };
  const moved = naive
    .records()
    .map((record) => ({ ...record, priceTicks: record.priceTicks ^ 1n, extraData: new Uint8Array(1) }));
  const abandoned = { uuid: randomUUID(), part: 0, last: false };
  await applyCommitments(
    store,
    { ...begin, requestId: randomUUID(), upserts: moved, changeSet: abandoned },
    APPLY_OPTIONS,
  );
  const restoring = { uuid: randomUUID(), part: 0, last: false };
  const restored = { ...begin, requestId: randomUUID(), upserts: naive.records(), changeSet: restoring };
  await applyCommitments(store, restored, APPLY_OPTIONS);
}

interface Shown {
  readonly revision: bigint;
  readonly data: CommitmentData;
}

/** Figures of a sale as the RPC presents them to readers. */
async function shown(store: CommitmentsStore, saleUuid: string): Promise<Shown> {
  const { sale, state, snapshot } = await readSaleSnapshot(store, saleUuid, ANY_REVISION);
  const parse = await createExtraDataParser(sale.definition.extraDataParameters);
  return {
    revision: state.revision,
    data: commitmentDataMessage(presentCommitmentData(sale.definition, snapshot, parse)),
  };
}

async function mend(store: CommitmentsStore, saleUuid: string, definition: SaleDefinition): Promise<void> {
  const { sale } = await readSaleSnapshot(store, saleUuid, ANY_REVISION);
  const update = { saleUuid, draftOf: () => definition, expectedVersion: sale.definitionVersion };
  await updateUnchecked(store, update);
}
