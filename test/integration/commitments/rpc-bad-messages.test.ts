import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { bearer, rawCall } from "../../support/processes/raw-call.ts";
import { apply, openedSale, record, refusal, USDX, violatedFields, WALLET } from "../../support/sales/sale-messages.ts";

const APPLY = "tidemark.commitments.v1.CommitmentService/ApplyCommitments";
const MAX_REQUEST_BYTES = 2 ** 20;
/** ProtoJSON: bytes are base64. */
const jsonRecord = {
  commitmentId: Buffer.alloc(32, 9).toString("base64"),
  entityId: Buffer.alloc(16, 9).toString("base64"),
};

describeCommitments(
  "a message that no client makes",
  (service) => {
    async function send(
      body: string | Uint8Array<ArrayBuffer>,
      contentType?: "application/json" | "application/proto",
    ) {
      const authorization = await bearer(service().credentials.operator);
      const { url } = service();
      return rawCall({
        url,
        method: APPLY,
        authorization,
        body,
        ...(contentType === undefined ? {} : { contentType }),
      });
    }

    it.each([
      ["ticks of 2^64", { priceTicks: "18446744073709551616" }, "price_ticks"],
      ["negative ticks", { priceTicks: "-1" }, "price_ticks"],
      ["ticks with a point", { priceTicks: 1.5 }, "price_ticks"],
      ["ticks that are no number", { priceTicks: "many" }, "price_ticks"],
      ["a time of 2^64", { createdAtSeconds: "18446744073709551616" }, "created_at_seconds"],
      ["a negative time", { createdAtSeconds: "-1" }, "created_at_seconds"],
      ["an amount that is a number", { amounts: [{ wallet: WALLET, token: USDX, amount: 5 }] }, "amount"],
      ["an amount that is null", { amounts: [{ wallet: WALLET, token: USDX, amount: null }] }, "amount"],
      ["a flag that is text", { refunded: "yes" }, "refunded"],
      ["an ID that isn't base64", { commitmentId: "!" }, "commitment_id"],
    ])("is refused for %s, naming the field", async (_, change, field) => {
      const saleUuid = await openedSale(service());
      const body = JSON.stringify({ saleUuid, requestId: randomUUID(), upserts: [{ ...jsonRecord, ...change }] });
      const answer = await expectUnchanged(service().database, saleUuid, () => send(body));
      expect(answer).toMatchObject({ status: 400, code: "invalid_argument", message: expect.stringContaining(field) });
    });

    it("is accepted if it is valid, so that each fault above is the only one", async () => {
      const saleUuid = await openedSale(service());
      const body = JSON.stringify({ saleUuid, requestId: randomUUID(), upserts: [jsonRecord] });
      expect(await send(body)).toMatchObject({ status: 200 });
    });

    it.each([
      ["no JSON", "{"],
      ["JSON of another shape", "[]"],
    ])("is refused as %s", async (_, body) => {
      expect(await send(body)).toMatchObject({ status: 400, code: "invalid_argument" });
    });

    // As in gRPC, bytes that are no protobuf at all are a fault of the sender's software: `internal`.
    it.each([
      ["a field cut short", Uint8Array.of(0x0a, 0xff)],
      ["a varint of 11 bytes", new Uint8Array(12).fill(0x80).with(0, 0x28)],
      ["text that isn't UTF-8", Uint8Array.of(0x0a, 0x01, 0xff)],
    ])("is refused as %s", async (_, body) => {
      expect(await send(body, "application/proto")).toMatchObject({ status: 500, code: "internal" });
    });

    it("is refused if it is too large, and the connection serves the next call", async () => {
      const saleUuid = await openedSale(service());
      const upserts = Array.from({ length: 20 }, (_, number) => record(number, { extraData: new Uint8Array(60_000) }));
      for (let round = 0; round < 3; round += 1) {
        const tooLarge = () => refusal(apply(service(), saleUuid, { upserts }));
        const error = await expectUnchanged(service().database, saleUuid, tooLarge);
        expect(error).toMatchObject({ code: "resource_exhausted" });
        await expect(service().commitments.getCommitmentData({ saleUuid })).resolves.toMatchObject({ revision: 2n });
      }
      await expect(apply(service(), saleUuid, { upserts: upserts.slice(0, 10) })).resolves.toMatchObject({
        revision: 3n,
      });
    });
  },
  { maxRequestBytes: MAX_REQUEST_BYTES },
);

describeCommitments("an invalid sale UUID", (service) => {
  it("is refused by every method", async () => {
    const { sales, commitments } = service();
    for (const saleUuid of ["", "sale", `${randomUUID()}0`, randomUUID().replaceAll("-", ""), `{${randomUUID()}}`]) {
      const calls: Record<string, () => Promise<unknown>> = {
        getSale: () => sales.getSale({ saleUuid }),
        openSale: () => sales.openSale({ saleUuid }),
        settleSale: () => sales.settleSale({ saleUuid, confirmName: "Auction" }),
        applyCommitments: () => apply({ commitments }, saleUuid, {}),
        getCommitmentData: () => commitments.getCommitmentData({ saleUuid }),
        listCommitments: () => commitments.listCommitments({ saleUuid }),
        listDigests: () => commitments.listDigests({ saleUuid }),
        getPriceLevels: () => commitments.getPriceLevels({ saleUuid }),
        acquireSaleLease: () => commitments.acquireSaleLease({ saleUuid, holder: "a", duration: { seconds: 1n } }),
      };
      for (const [method, call] of Object.entries(calls)) {
        expect([method, saleUuid, await violatedFields(call())]).toEqual([method, saleUuid, ["sale_uuid"]]);
      }
    }
  });
});
