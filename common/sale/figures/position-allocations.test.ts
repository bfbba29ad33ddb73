import { expect, it } from "vitest";
import { auctionDefinition, recordOf, TOKEN, WALLET } from "../../../services/commitments/testing/samples.ts";
import { AmountNormaliser } from "./amount.ts";
import { allocationsOfRecords, normaliseAllocations } from "./position-allocations.ts";

const OTHER = `0x${"dd".repeat(20)}`;
const of = (wallet: string, amount: bigint) => ({ wallet, token: TOKEN, amount });

it("adds up a wallet's amounts of a commitment, and leaves those of other wallets out", () => {
  const amounts = [of(WALLET, 10n), of(WALLET, 5n), of(OTHER, 100n)];
  const records = [
    recordOf(2, { amounts, accepted: [of(OTHER, 100n), of(WALLET, 6n)], refunded: true }),
    recordOf(1, { amounts }),
  ];
  expect(allocationsOfRecords(records, WALLET, true)).toEqual([
    { entityId: recordOf(1).entityId, token: TOKEN, accepted: 0n, refunded: 0n },
    { entityId: recordOf(2).entityId, token: TOKEN, accepted: 6n, refunded: 9n },
  ]);
});

it("says nothing of a cancelled bid without amounts, and refunds nothing where more is accepted than committed", () => {
  expect(allocationsOfRecords([recordOf(1, { amounts: [of(WALLET, 0n)], refunded: true })], WALLET, true)).toEqual([]);
  const more = recordOf(1, { amounts: [of(WALLET, 1n)], accepted: [of(WALLET, 2n)], refunded: true });
  expect(allocationsOfRecords([more], WALLET, true)).toMatchObject([{ accepted: 2n, refunded: 0n }]);
});

it("adds up the commitments of an entity, and leaves out what a contract without such marks has paid back", () => {
  const amounts = [of(WALLET, 10n)];
  const records = [recordOf(1, { amounts, accepted: [of(WALLET, 6n)], refunded: true }), recordOf(1, { amounts })];
  const { entityId } = recordOf(1);
  expect(allocationsOfRecords(records, WALLET, true)).toEqual([{ entityId, token: TOKEN, accepted: 6n, refunded: 4n }]);
  expect(allocationsOfRecords(records, WALLET, false)).toEqual([{ entityId, token: TOKEN, accepted: 6n }]);
});

it("normalises what is accepted and refunded, each by itself", () => {
  const definition = { ...auctionDefinition, paymentTokenDecimals: 4 };
  const allocation = { entityId: "", token: TOKEN, accepted: 199n };
  expect(
    normaliseAllocations(new AmountNormaliser(definition), [{ ...allocation, refunded: 101n }, allocation]),
  ).toEqual([
    { ...allocation, accepted: 1n, refunded: 1n },
    { ...allocation, accepted: 1n },
  ]);
});
