import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { SALE_UPDATED_SUBJECTS } from "../../../common/internal-api/commitment-subjects.ts";
import type { Bus } from "../../../common/platform/bus/bus.ts";
import { LocalBus } from "../../../common/platform/bus/local-bus.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type SaleUpdated, SaleUpdatedSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { startCommitments } from "../../support/processes/commitments-fixture.ts";
import { describeService } from "../../support/processes/describe-service.ts";
import { apply, auction, evmSource, openedSale, record, refusal } from "../../support/sales/sale-messages.ts";

/** Long enough that only being woken can explain that an event came. */
const NEVER_MS = 3_600_000;

function listenTo(bus: Bus): SaleUpdated[] {
  const events: SaleUpdated[] = [];
  bus.listen(SALE_UPDATED_SUBJECTS, {
    event: ({ payload }) => events.push(fromBinary(SaleUpdatedSchema, payload)),
    gap: () => {},
  });
  return events;
}

describeService(
  "the events of a sale",
  async (database) => {
    const bus = new LocalBus();
    const events = listenTo(bus);
    const service = await startCommitments(database, { bus, outboxPollMs: NEVER_MS });
    return { ...service, events };
  },
  (service) => {
    const eventsOf = (saleUuid: string) => service().events.filter((event) => event.saleUuid === saleUuid);

    it("announce every revision with its figures as soon as it is committed", async () => {
      const saleUuid = await openedSale(service());
      await expect.poll(() => eventsOf(saleUuid)).toHaveLength(1);
      await apply(service(), saleUuid, { upserts: [record(1), record(2, { priceTicks: "20" })] });
      await expect.poll(() => eventsOf(saleUuid)).toHaveLength(2);
      const { generation, revision, data } = await service().commitments.getCommitmentData({ saleUuid });
      const event = eventsOf(saleUuid)[1];
      expect(event).toMatchObject({
        eventId: `${saleUuid}:${generation.toString(16).padStart(16, "0")}:${revision}`,
        generation,
        revision,
        status: SaleStatus.OPEN,
        readable: true,
        totalAmount: data?.totalAmount,
        commitmentCount: 2n,
        clearingPrice: data?.clearingPrice,
      });
      expect(event?.totalAmount).toBe("2000");
    });

    it("announce opening, a new definition and settling, and nothing if nothing changes", async () => {
      const saleUuid = await openedSale(service());
      await apply(service(), saleUuid, { upserts: [record(1)] });
      await apply(service(), saleUuid, { upserts: [record(1)] });
      const { sale } = await service().sales.getSale({ saleUuid });
      const definition = { ...sale?.definition, name: "Another" } as NonNullable<typeof sale>["definition"] & object;
      const expectedDefinitionVersion = sale?.definitionVersion ?? 0n;
      await service().sales.updateSale({ saleUuid, definition, expectedDefinitionVersion });
      await service().sales.settleSale({ saleUuid, confirmName: "Another" });
      await expect.poll(() => eventsOf(saleUuid).map(({ revision }) => revision)).toEqual([2n, 3n, 4n, 5n]);
      expect(eventsOf(saleUuid).map(({ status }) => status)).toEqual([
        SaleStatus.OPEN,
        SaleStatus.OPEN,
        SaleStatus.OPEN,
        SaleStatus.SETTLED,
      ]);
    });

    it("say of a sale whose contract wasn't read whole yet that readers can't see it", async () => {
      const saleUuid = await openedSale(service(), auction({ source: evmSource() }));
      await expect.poll(() => eventsOf(saleUuid).map(({ readable }) => readable)).toEqual([false]);
    });

    it("are published again by a replay, which only an operator may start", async () => {
      const saleUuid = await openedSale(service());
      await expect.poll(() => eventsOf(saleUuid)).toHaveLength(1);
      const { seconds } = eventsOf(saleUuid)[0]?.committedAt ?? { seconds: 0n };
      await expect
        .poll(async () => (await service().commitments.replayOutbox({ since: { seconds, nanos: 0 } })).revisions)
        .toBeGreaterThan(0n);
      await expect.poll(() => eventsOf(saleUuid).length).toBeGreaterThan(1);
      const [first, again] = eventsOf(saleUuid);
      expect(again).toEqual(first);
      const other = service()
        .as("feeder")
        .commitments.replayOutbox({ since: { seconds, nanos: 0 } });
      expect((await refusal(other)).code).toBe("permission_denied");
    });
  },
);

describe("a local bus", () => {
  it("delivers nothing after a listener has ended", async () => {
    const bus = new LocalBus();
    const received: string[] = [];
    const end = bus.listen("a.*", { event: ({ subject }) => received.push(subject), gap: () => {} });
    await bus.publish({ subject: "a.b", id: "1", payload: new Uint8Array() });
    await bus.publish({ subject: "b.b", id: "2", payload: new Uint8Array() });
    end();
    await bus.publish({ subject: "a.c", id: "3", payload: new Uint8Array() });
    expect(received).toEqual(["a.b"]);
  });
});
