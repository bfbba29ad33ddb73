import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  type ApplyInit,
  amountOf,
  apply,
  auction,
  idBytes,
  MINT,
  openedSale,
  type RecordInit,
  record,
  USDX,
  USDY,
  violatedFields,
  WALLET,
} from "../../support/sales/sale-messages.ts";

const MAX_ROWS = 4;
const AMOUNT = "upserts[1].amounts[1]";

const oneAmount = (change: Partial<ReturnType<typeof amountOf>>): RecordInit => ({
  amounts: [amountOf(1n), { ...amountOf(1n), ...change }],
});

/** Mistakes in the second of two records, each with the field that the answer names. */
const badRecords: [string, RecordInit, string][] = [
  ["a negative amount", oneAmount({ amount: "-1" }), `${AMOUNT}.amount`],
  ["a fraction", oneAmount({ amount: "1.5" }), `${AMOUNT}.amount`],
  ["an exponent", oneAmount({ amount: "1e3" }), `${AMOUNT}.amount`],
  ["no amount", oneAmount({ amount: "" }), `${AMOUNT}.amount`],
  ["a leading zero", oneAmount({ amount: "01" }), `${AMOUNT}.amount`],
  ["a plus sign", oneAmount({ amount: "+1" }), `${AMOUNT}.amount`],
  ["white space", oneAmount({ amount: " 1" }), `${AMOUNT}.amount`],
  ["a line break", oneAmount({ amount: "1\n" }), `${AMOUNT}.amount`],
  ["hexadecimal digits", oneAmount({ amount: "0x10" }), `${AMOUNT}.amount`],
  ["digits of another script", oneAmount({ amount: "١" }), `${AMOUNT}.amount`],
  ["79 digits", oneAmount({ amount: "1".repeat(79) }), `${AMOUNT}.amount`],
  ["2^256", oneAmount({ amount: (2n ** 256n).toString() }), `${AMOUNT}.amount`],
  ["78 nines", oneAmount({ amount: "9".repeat(78) }), `${AMOUNT}.amount`],
  ["no wallet", oneAmount({ wallet: "" }), `${AMOUNT}.wallet`],
  ["a wallet of 39 digits", oneAmount({ wallet: WALLET.slice(0, -1) }), `${AMOUNT}.wallet`],
  ["a wallet of 41 digits", oneAmount({ wallet: `${WALLET}0` }), `${AMOUNT}.wallet`],
  ["a wallet without 0x", oneAmount({ wallet: WALLET.slice(2) }), `${AMOUNT}.wallet`],
  ["a wallet with an invalid digit", oneAmount({ wallet: WALLET.replace(/.$/, "g") }), `${AMOUNT}.wallet`],
  ["a wallet of another kind of chain", oneAmount({ wallet: MINT }), `${AMOUNT}.wallet`],
  ["a wallet of 65 characters", oneAmount({ wallet: "x".repeat(65) }), `${AMOUNT}.wallet`],
  ["a token of another sale", oneAmount({ token: USDY }), `${AMOUNT}.token`],
  ["no token", oneAmount({ token: "" }), `${AMOUNT}.token`],
  ["a token that isn't an address", oneAmount({ token: "USDX" }), `${AMOUNT}.token`],
  ["a time beyond year 9999", { createdAtSeconds: 253_402_300_800n }, "upserts[1].created_at_seconds"],
  ["a commitment ID of 31 bytes", { commitmentId: idBytes(2, 31) }, "upserts[1].commitment_id"],
  ["a commitment ID of 33 bytes", { commitmentId: idBytes(2, 33) }, "upserts[1].commitment_id"],
  ["no commitment ID", { commitmentId: new Uint8Array(0) }, "upserts[1].commitment_id"],
  ["an entity ID of 15 bytes", { entityId: idBytes(2, 15) }, "upserts[1].entity_id"],
  ["an entity ID of 32 bytes", { entityId: idBytes(2) }, "upserts[1].entity_id"],
  ["the commitment ID of the first record", { commitmentId: idBytes(1) }, "upserts[1].commitment_id"],
  ["an index beyond 2^63-1", { sourceIndex: 2n ** 63n }, "upserts[1].source_index"],
  ["extra data beyond 64 KiB", { extraData: new Uint8Array(65_537) }, "upserts[1].extra_data"],
  ["1,025 amounts", { amounts: Array.from({ length: 1_025 }, () => amountOf(1n)) }, "upserts[1].amounts"],
];

/** Mistakes in a request, each with the field that the answer names. */
const badRequests: [string, ApplyInit, string][] = [
  ["an invalid request ID", { requestId: "1" }, "request_id"],
  ["no request ID", { requestId: "" }, "request_id"],
  ["a removal of 31 bytes", { removals: [idBytes(8), idBytes(9, 31)] }, "removals[1]"],
  ["a duplicate removal", { removals: [idBytes(9), idBytes(9)] }, "removals[1]"],
  ["a commitment that is written and removed", { upserts: [record(9)], removals: [idBytes(9)] }, "removals[0]"],
  [
    "more rows than allowed, removals included",
    { upserts: [record(6), record(7), record(8)], removals: [idBytes(9), idBytes(10)] },
    "upserts",
  ],
  ["an unknown stage", { stage: 9 as SaleStage }, "stage"],
  ["a height beyond 2^63-1", { sourcePosition: { height: 2n ** 63n } }, "source_position.height"],
  ["a block hash of 33 bytes", { sourcePosition: { hash: new Uint8Array(33) } }, "source_position.hash"],
  ["an invalid change set", { changeSet: { changeSetUuid: "set" } }, "change_set.change_set_uuid"],
  ["a set without UUID", { changeSet: { part: 0, last: true } }, "change_set.change_set_uuid"],
];

describeCommitments(
  "ApplyCommitments refuses",
  (service) => {
    /** A sale that has seen all that must not change. */
    async function bidOn(definition = auction(), first = record(1)): Promise<string> {
      const saleUuid = await openedSale(service(), definition);
      await apply(service(), saleUuid, { upserts: [first] });
      return saleUuid;
    }

    async function refusedFields(saleUuid: string, request: ApplyInit): Promise<string[]> {
      return expectUnchanged(service().database, saleUuid, () => violatedFields(apply(service(), saleUuid, request)));
    }

    it.each(badRecords)("%s, naming the field", async (_, change, field) => {
      const upserts = [record(1, { amounts: [amountOf(9n)] }), record(2, change)];
      expect(await refusedFields(await bidOn(), { upserts })).toEqual([field]);
    });

    it.each(badRequests)("%s, naming the field", async (_, request, field) => {
      expect(await refusedFields(await bidOn(), { upserts: [], ...request })).toEqual([field]);
    });

    it("takes as many rows as allowed", async () => {
      const upserts = [record(1), record(2), record(3)];
      await expect(apply(service(), await bidOn(), { upserts, removals: [idBytes(4)] })).resolves.toBeDefined();
    });

    it.each([
      ["an EVM wallet", WALLET],
      ["31 bytes", MINT.slice(0, -2)],
      ["letters that base58 hasn't got", MINT.replace(/^./, "0")],
      ["no wallet", ""],
    ])("in an SVM sale %s", async (_, wallet) => {
      const source = { case: "svm" as const, value: { chain: "solana", saleAccount: MINT } };
      const saleUuid = await openedSale(
        service(),
        auction({ paymentTokens: [{ address: MINT, decimals: 6 }], source }),
      );
      const { epoch: leaseEpoch } = await service().commitments.acquireSaleLease({
        saleUuid,
        holder: "reader-1",
        duration: { seconds: 60n },
      });
      const upserts = [record(1, { amounts: [{ wallet, token: MINT, amount: "1" }] })];
      expect(await refusedFields(saleUuid, { upserts, leaseEpoch })).toEqual(["upserts[0].amounts[0].wallet"]);
      const good = [record(1, { amounts: [{ wallet: MINT, token: MINT, amount: "1" }] })];
      await expect(apply(service(), saleUuid, { upserts: good, leaseEpoch })).resolves.toMatchObject({ revision: 3n });
    });

    it("all violations at once, field by field", async () => {
      const wrong = { wallet: "x", token: USDX, amount: "1" };
      const upserts = [record(1, { amounts: [wrong, wrong] }), record(1)];
      expect(await refusedFields(await bidOn(), { upserts })).toEqual([
        "upserts[1].commitment_id",
        "upserts[0].amounts[0].wallet",
        "upserts[0].amounts[1].wallet",
      ]);
    });

    it("bad rows for a sale in any state, before it looks at the rest", async () => {
      const saleUuid = await bidOn();
      const upserts = [record(2, oneAmount({ token: USDY }))];
      const fields = await refusedFields(saleUuid, { upserts, expectedRevision: 99n, requestId: randomUUID() });
      expect(fields).toEqual(["upserts[0].amounts[1].token"]);
    });
  },
  { applyMaxRows: MAX_ROWS },
);
