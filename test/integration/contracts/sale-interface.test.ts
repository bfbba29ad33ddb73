import { type Abi, toEventSelector, toFunctionSelector } from "viem";
import { formatAbiItem } from "viem/utils";
import { expect, it } from "vitest";
import { permitSale } from "../../../services/demo/chain/permit-sale.ts";
import { auctionSale } from "../../contracts/artefacts/auction-sale.ts";
import { manyPerEntitySale } from "../../contracts/artefacts/many-per-entity-sale.ts";
import { saleVersion2 } from "../../contracts/artefacts/sale-version-2.ts";
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

/** The functions of version 2 with purchase permits. */
const PERMIT_SELECTORS = {
  replaceBidWithApproval: "0xd12cf2c5",
  hasRole: "0x91d14854",
  maxWalletsPerEntity: "0xd788bc9e",
  setPaused: "0x16c38b3c",
  paused: "0x5c975abb",
  saleUUID: "0xb185b20d",
  version: "0x54fd4d50",
};
const PERMIT_ERRORS = {
  InvalidStage: "0xa96cafa2",
  SalePaused: "0x8a98cbd0",
  InvalidSaleUUID: "0x265688c2",
  PurchasePermitExpired: "0x92e94eb0",
  InvalidSender: "0xe1130dba",
  ECDSAInvalidSignature: "0xf645eedf",
  ECDSAInvalidSignatureLength: "0xfce698f7",
  ECDSAInvalidSignatureS: "0xd78bce0c",
  UnauthorizedSigner: "0xe74c68bb",
  InvalidPaymentToken: "0x4e34486d",
  BidOutsideAllowedWindow: "0xf795b7cd",
  ZeroAmount: "0x1f2a2005",
  BidPriceExceedsMaxPrice: "0x9704cd5f",
  BidPriceBelowMinPrice: "0xa9108d35",
  BidBelowMinAmount: "0x9619ba97",
  BidExceedsMaxAmount: "0x69cd4982",
  BidMustHaveLockup: "0xb4ff16e5",
  AlreadyRefunded: "0x86a208cb",
  BidAmountCannotBeLowered: "0x945b17c1",
  BidPriceCannotBeLowered: "0x3075fd87",
  BidLockupCannotBeUndone: "0xc9b60561",
  ZeroEntityID: "0x03f5ed94",
  WalletTiedToAnotherEntity: "0x02d4bef7",
  MaxWalletsPerEntityExceeded: "0xe8429374",
  SafeERC20FailedOperation: "0x5274afe7",
};
const ROLE_TOPICS = {
  RoleGranted: "0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d",
  RoleRevoked: "0xf6391f5c32d9c69d2a47ea670b442974b53935d1edc7fd64eb21e047a839171b",
};

/** The functions, errors and log of allocations of version 2. */
const ALLOCATION_SELECTORS = {
  numEntityAllocations: "0x726559fa",
  readEntityAllocationDataIn: "0xcad02469",
  totalAcceptedAmountByToken: "0x626f01ea",
  setAllocations: "0x192fdf66",
};
const ALLOCATION_ERRORS = { AllocationAlreadySet: "0xca59c2c2", AllocationExceedsCommitment: "0xb1b45251" };
const ALLOCATION_TOPICS = { AllocationSet: "0x577e7407bfa6325d3634b980fde4be3e018bb406bfa56eafaeefd1e3fa856290" };

function selectors(abi: Abi): Record<string, string> {
  const functions = abi.filter((entry) => entry.type === "function");
  return Object.fromEntries(functions.map((entry) => [entry.name, toFunctionSelector(entry)]));
}

function errors(abi: Abi): Record<string, string> {
  const declared = abi.filter((entry) => entry.type === "error");
  return Object.fromEntries(declared.map((entry) => [entry.name, toFunctionSelector(formatAbiItem(entry))]));
}

function topics(abi: Abi): Record<string, string> {
  const events = abi.filter((entry) => entry.type === "event");
  return Object.fromEntries(events.map((entry) => [entry.name, toEventSelector(entry)]));
}

it.each([
  ["AuctionSale", auctionSale.abi],
  ["PermitSale", permitSale.abi],
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

it("has the functions, errors and logs of permits, as the reference sale names them", () => {
  expect(selectors(permitSale.abi)).toMatchObject({ ...PERMIT_SELECTORS, ...OPTIONAL_SELECTORS });
  expect(errors(permitSale.abi)).toMatchObject(PERMIT_ERRORS);
  expect(topics(permitSale.abi)).toEqual({ ...TOPICS, ...ALLOCATION_TOPICS, ...ROLE_TOPICS });
});

it("says what is accepted as version 2 of the reference sale does", () => {
  for (const abi of [permitSale.abi, saleVersion2.abi]) {
    expect(selectors(abi)).toMatchObject(ALLOCATION_SELECTORS);
    expect(errors(abi)).toMatchObject(ALLOCATION_ERRORS);
    expect(topics(abi)).toMatchObject(ALLOCATION_TOPICS);
  }
});
