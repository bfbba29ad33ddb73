import { type Abi, toEventSelector, toFunctionSelector } from "viem";
import { expect, it } from "vitest";
import { auctionSale } from "../../../services/demo/contracts/auction-sale.ts";
import { manyPerEntitySale } from "../../contracts/artefacts/many-per-entity-sale.ts";
import { silentSale } from "../../contracts/artefacts/silent-sale.ts";
import { unreliableSale } from "../../contracts/artefacts/unreliable-sale.ts";

// Taken from the reference sale, and not computed from an ABI of ours.
const READER_SELECTORS = {
  numCommitments: "0xa0ea7a57",
  readCommitmentDataAt: "0x1a10c78c",
  readCommitmentDataIn: "0x6a18b324",
};
const OPTIONAL_SELECTORS = { totalCommittedAmountByToken: "0xe2ccb2b4" };
const TOPICS = {
  BidPlaced: "0xe27dec4eec3029f08bbab610adb1d3f896887933da00eba6092ae587fc6698db",
  CommitmentIncreased: "0x13be04f62c00b39d70ad09c874f1d956a1a71633696f416f2a9163b94da0858d",
  CommitmentReduced: "0xc8aad04394fdadca1061d5b8baaa87b845f6bcbf28753c86d81f48504d8bb442",
  EntityRefunded: "0x7abd3cacdbde546ee1c649a89f901f43c1b1f77a2a227328cd2f8def661674fc",
  StageChanged: "0x0f63b8bffe147a0fe1362da0e6e3ae0fcffce5497482f4d438715fe53890acf1",
};

function selectors(abi: Abi): Record<string, string> {
  const functions = abi.filter((entry) => entry.type === "function");
  return Object.fromEntries(functions.map((entry) => [entry.name, toFunctionSelector(entry)]));
}

function topics(abi: Abi): Record<string, string> {
  const events = abi.filter((entry) => entry.type === "event");
  return Object.fromEntries(events.map((entry) => [entry.name, toEventSelector(entry)]));
}

it.each([
  ["AuctionSale", auctionSale.abi],
  ["UnreliableSale", unreliableSale.abi],
  ["SilentSale", silentSale.abi],
  ["ManyPerEntitySale", manyPerEntitySale.abi],
] as const)("%s has the read functions of the reference sale", (_, abi) => {
  expect(selectors(abi)).toMatchObject(READER_SELECTORS);
});

it("has the optional functions only in the auction", () => {
  expect(selectors(auctionSale.abi)).toMatchObject(OPTIONAL_SELECTORS);
  for (const name of ["stage", "paymentTokens", "saleUUID"]) expect(selectors(auctionSale.abi)).toHaveProperty(name);
  for (const name of ["totalCommittedAmountByToken", "stage", "paymentTokens", "saleUUID"]) {
    expect(selectors(silentSale.abi)).not.toHaveProperty(name);
    expect(selectors(manyPerEntitySale.abi)).not.toHaveProperty(name);
  }
});

it("has exactly the logs of the reference sale", () => {
  expect(topics(auctionSale.abi)).toEqual(TOPICS);
  expect(topics(manyPerEntitySale.abi)).toEqual(TOPICS);
  expect(topics(silentSale.abi)).toEqual({});
});
