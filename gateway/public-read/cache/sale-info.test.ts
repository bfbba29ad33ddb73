import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, it } from "vitest";
import {
  ContractFamily,
  FeedFault,
  FeedStateSchema,
  SaleStage,
  SaleStatus,
  SaleSummarySchema,
  Tenancy,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { FeedObservation } from "./commitment-cache.ts";
import { SaleFieldsCache } from "./sale-fields.ts";
import { SaleInfo } from "./sale-info.ts";

const SALE = "abcdefab-cdef-4bcd-8fab-cdefabcdefab";
const UNREACHABLE_AFTER_MS = 5_000;
const TOKEN = { address: `0x${"a1".repeat(20)}`, decimals: 6, usdStablecoin: true, symbol: "USDC" };
const LEAST = {
  name: "A sale",
  status: SaleStatus.OPEN,
  tenancy: Tenancy.LIVE,
  fixedPrice: { numerator: "25", denominator: "10000" },
  paymentTokens: [TOKEN],
  paymentTokenDecimals: 6,
};
const CONTRACT = `0x${"c2".repeat(20)}`;
const LARGEST = (2n ** 256n - 1n).toString();
const ALL: MessageInitShape<typeof SaleSummarySchema> = {
  ...LEAST,
  tenancy: Tenancy.TEST,
  status: SaleStatus.SETTLED,
  stage: SaleStage.PRE_OPEN,
  auction: {
    offeredAmount: LARGEST,
    floorPrice: { numerator: "1", denominator: "3" },
    incrementPrice: { numerator: "2", denominator: "3" },
  },
  priceTick: { numerator: "1", denominator: "3" },
  extraDataParameters: "uint64 tier",
  offeredTokenDecimals: 18,
  source: { case: "evm", value: { chain: "base", contract: CONTRACT } },
  presentation: {
    description: 'Two\nlines and "quotes"',
    website: "https://founder.example/",
    contact: "help@founder.example",
    offeredTokenSymbol: "TIDE",
    opensAtSeconds: 0n,
    closesAtSeconds: 1_800_000_000n,
    logo: "a1".repeat(32),
    totalSupply: LARGEST,
  },
};
const FEED: MessageInitShape<typeof FeedStateSchema> = {
  asOf: {
    position: { height: 2n ** 60n, hash: new Uint8Array(32).fill(1) },
    blockTime: { seconds: 1_700_000_000n },
    lastSuccess: { seconds: 1_700_000_003n, nanos: 999_000_000 },
  },
  behind: { seconds: 3n },
  chain: { chainId: 8453n, contractUrl: "https://explorer.example/c2" },
};

function observation(
  sale: MessageInitShape<typeof SaleSummarySchema> | undefined,
  state?: MessageInitShape<typeof FeedStateSchema>,
): FeedObservation {
  return {
    sale: sale && create(SaleSummarySchema, sale),
    state: state && create(FeedStateSchema, state),
    knownAt: 0,
    confirmedAt: 0,
  };
}

const signer = { address: "" as string | undefined };
const signers = { get: () => signer.address, ready: async () => {} };
const newInfo = () =>
  new SaleInfo(UNREACHABLE_AFTER_MS, new SaleFieldsCache({ signers, origin: "https://sale.example" }));
beforeEach(() => {
  signer.address = "";
});

/** The document as it is parsed, at a time. */
function parsed(observed: FeedObservation, now = 0) {
  const document = newInfo().document(SALE, observed, now);
  return document && JSON.parse(document.identity.bytes.toString());
}

describe("SaleInfo", () => {
  it("has all that is known of a sale", () => {
    expect(parsed(observation(ALL, FEED))).toStrictEqual({
      SaleUUID: SALE,
      Name: "A sale",
      Tenancy: "test",
      Status: "settled",
      Stage: "pre_open",
      Pricing: "auction",
      FloorNumerator: "1",
      FloorDenominator: "3",
      IncrementNumerator: "2",
      IncrementDenominator: "3",
      PriceTickNumerator: "1",
      PriceTickDenominator: "3",
      OfferedToken: { Symbol: "TIDE", Decimals: 18, Amount: LARGEST, TotalSupply: LARGEST },
      PaymentTokens: [{ TokenAddress: TOKEN.address, Symbol: "USDC", Decimals: 6, DollarStablecoin: true }],
      PaymentTokenDecimals: 6,
      ExtraDataParameters: "uint64 tier",
      Contract: {
        Chain: "base",
        ChainKind: "evm",
        ChainID: 8453,
        Address: CONTRACT,
        ExplorerURL: "https://explorer.example/c2",
      },
      OpensAt: "1970-01-01T00:00:00Z",
      ClosesAt: "2027-01-15T08:00:00Z",
      Description: 'Two\nlines and "quotes"',
      Website: "https://founder.example/",
      Contact: "help@founder.example",
      LogoURL: `https://sale.example/logos/${"a1".repeat(32)}`,
      Fault: "",
      AsOf: {
        Block: (2n ** 60n).toString(),
        BlockHash: `0x${"01".repeat(32)}`,
        BlockTime: 1_700_000_000,
        LastSuccess: 1_700_000_003,
      },
      BehindSeconds: 3,
    });
  });

  it("has the amount for sale at a fixed price, where it was entered", () => {
    const offeredAmount = (sale: MessageInitShape<typeof SaleSummarySchema>) => parsed(observation(sale)).OfferedToken;
    expect(offeredAmount({ ...LEAST, offeredAmount: LARGEST })).toStrictEqual({ Amount: LARGEST });
    expect(offeredAmount({ ...LEAST, offeredAmount: "" })).toStrictEqual({});
  });

  it("has what is accepted once that is known, and says where it can't be relied on, for good and beside no other fault", () => {
    const settled = (differs: boolean) => ({ ...LEAST, allocations: { total: LARGEST, differs } });
    expect(parsed(observation(settled(false), FEED))).toMatchObject({ AcceptedAmount: LARGEST, Fault: "" });
    const differing = { AcceptedAmount: LARGEST, Fault: expect.stringMatching(/^The accepted amounts don't add up/) };
    expect(parsed(observation(settled(true), FEED))).toMatchObject(differing);
    expect(parsed(observation(settled(true), { ...FEED, final: true }))).toMatchObject(differing);
    const unread = observation(settled(true), { ...FEED, fault: FeedFault.UNREADABLE });
    expect(parsed(unread)).toMatchObject({ Fault: "The sale's contract can't be read at the moment." });
  });

  it("leaves out what isn't known or doesn't apply", () => {
    const { symbol: _, ...token } = TOKEN;
    expect(parsed(observation({ ...LEAST, paymentTokens: [token] }))).toStrictEqual({
      SaleUUID: SALE,
      Name: "A sale",
      Tenancy: "live",
      Status: "open",
      Pricing: "fixed",
      PriceNumerator: "25",
      PriceDenominator: "10000",
      OfferedToken: {},
      PaymentTokens: [{ TokenAddress: TOKEN.address, Decimals: 6, DollarStablecoin: true }],
      PaymentTokenDecimals: 6,
      Fault: "",
      BehindSeconds: 0,
    });
  });

  it("has no chain ID on Solana, nor before the contract was first read", () => {
    const svm = { ...LEAST, source: { case: "svm" as const, value: { chain: "solana", saleAccount: "9xQ" } } };
    const chain = { chainId: 0n, contractUrl: "https://explorer.example/9xQ" };
    const contract = { Chain: "solana", ChainKind: "svm", Address: "9xQ" };
    expect(parsed(observation(svm, { chain })).Contract).toStrictEqual({ ...contract, ExplorerURL: chain.contractUrl });
    expect(parsed(observation(svm)).Contract).toStrictEqual(contract);
  });

  it("has the family of a contract that isn't the reference contract's", () => {
    const value = { chain: "base", contract: CONTRACT, family: ContractFamily.CCA };
    const auction = { ...LEAST, source: { case: "evm" as const, value } };
    const contract = { Chain: "base", ChainKind: "evm", Family: "cca", Address: CONTRACT };
    expect(parsed(observation(auction)).Contract).toStrictEqual(contract);
  });

  it("has an entity tag that blocks don't change, and everything else does", () => {
    const info = newInfo();
    const etagOf = (observed: FeedObservation, now = 0) => info.document(SALE, observed, now)?.etag;
    const first = etagOf(observation(ALL, FEED));
    const { asOf: _, ...blind } = FEED;
    expect(etagOf(observation(ALL, blind), 1_500)).toBe(first);
    const others = [
      observation({ ...ALL, name: "Another sale" }, FEED),
      observation({ ...ALL, stage: SaleStage.COMMITMENT }, FEED),
      observation(ALL, { ...FEED, fault: FeedFault.LATE }),
      observation(ALL, { ...FEED, chain: { chainId: 1n, contractUrl: "https://explorer.example/c2" } }),
      observation(ALL, { ...FEED, chain: { chainId: 8453n, contractUrl: "" } }),
    ].map((observed) => etagOf(observed));
    expect(new Set([first, ...others]).size).toBe(6);
  });

  it("is made once for all readers until a block or a second passes", () => {
    const info = newInfo();
    const observed = observation(ALL, FEED);
    const document = info.document(SALE, observed, 0);
    expect(info.document(SALE, observed, 999)).toBe(document);
    const later = info.document(SALE, observed, 1_000);
    expect(later).not.toBe(document);
    expect(JSON.parse(later?.identity.bytes.toString() ?? "").BehindSeconds).toBe(4);
  });

  it("says why the figures stand still, and when the service itself can't know", () => {
    const late = observation(LEAST, { ...FEED, fault: FeedFault.LATE });
    expect(parsed(late).Fault).toBe("Reading the sale's contract takes longer than usual.");
    const unreachable = "The sale's figures can't be brought up to date at the moment.";
    expect(parsed(late, UNREACHABLE_AFTER_MS).Fault).not.toBe(unreachable);
    expect(parsed(late, UNREACHABLE_AFTER_MS + 1).Fault).toBe(unreachable);
  });

  it("has the signer of permits once that is known, with another entity tag for another one", () => {
    const info = newInfo();
    const observed = observation(ALL, FEED);
    signer.address = undefined;
    expect(info.document(SALE, observed, 0)).toBeUndefined();
    signer.address = "";
    const none = info.document(SALE, observed, 0);
    expect(JSON.parse(none?.identity.bytes.toString() ?? "")).not.toHaveProperty("Signer");
    signer.address = "0xa1";
    const one = info.document(SALE, observed, 0);
    expect(JSON.parse(one?.identity.bytes.toString() ?? "")).toMatchObject({ Signer: "0xa1" });
    expect(one?.etag).not.toBe(none?.etag);
  });

  it("is none for a commitments service of an older version", () => {
    expect(parsed(observation(undefined, FEED))).toBeUndefined();
    expect(parsed(observation({ ...LEAST, paymentTokens: [] }, FEED))).toBeUndefined();
  });
});
