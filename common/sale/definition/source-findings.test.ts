import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ContractFamily } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { CheckSourceResponseSchema } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { ServiceError } from "../../platform/errors/service-error.ts";
import { sourceProblemClause } from "../words/source-problem.ts";
import {
  decimalsProblems,
  refusedFindings,
  type SourceExpectation,
  sourceFindings,
  sourceProblems,
} from "./source-findings.ts";

const TOKEN = `0x${"a1".repeat(20)}`;
const OTHER_TOKEN = `0x${"b2".repeat(20)}`;
const OURS = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0";
const EXPECTED = { saleUuid: OURS, paymentTokens: [TOKEN], cancelledKeepsAmounts: false };

type Answer = MessageInitShape<typeof CheckSourceResponseSchema>;

const clausesOf = (answer: Answer, expected: SourceExpectation = EXPECTED) =>
  sourceProblems(expected, sourceFindings(create(CheckSourceResponseSchema, { readable: true, ...answer }))).map(
    sourceProblemClause,
  );

describe("sourceProblems", () => {
  it.each<[string, Answer, readonly string[]]>([
    ["nothing but that it can be read", {}, []],
    ["the sale's ID, in any case", { saleUuid: OURS.toUpperCase() }, []],
    ["the sale's tokens, in any case", { paymentTokens: [`0x${"A1".repeat(20)}`] }, []],
    ["odd answers of a contract that can be read", { problems: ["stage() is odd"] }, []],
    ["nothing to read, and no reason", { readable: false }, ["there is no sale that can be read"]],
    ["nothing to read", { readable: false, problems: ["nothing is there"] }, ["nothing is there"]],
    [
      "another sale's contract, which can't be read",
      { readable: false, problems: ["nothing is there"], saleUuid: OTHER_TOKEN, paymentTokens: [OTHER_TOKEN] },
      ["nothing is there"],
    ],
    [
      "another sale, another token and another version",
      {
        saleUuid: "617cbc79-527d-45e3-9f16-8dd4ea04ebd2",
        paymentTokens: [TOKEN, OTHER_TOKEN],
        cancelledKeepsAmounts: true,
      },
      [
        "the contract belongs to another sale: it holds the ID 0x617cbc79527d45e39f168dd4ea04ebd2, and this sale’s is 0x0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        `the contract takes the payment token ${OTHER_TOKEN}, which this sale doesn’t list`,
        "the contract keeps the amounts of cancelled commitments, and the sale says otherwise",
      ],
    ],
  ])("finds %s", (_, answer, clauses) => {
    expect(clausesOf(answer)).toEqual(clauses);
  });

  it("finds a contract of another family, whose other answers it doesn't judge", () => {
    const auction = { family: ContractFamily.CCA, paymentTokens: [OTHER_TOKEN] };
    expect(clausesOf(auction)).toEqual([
      "the contract is a Continuous Clearing Auction, and the sale’s settings are those of another contract",
    ]);
    const ofAuction = { ...EXPECTED, contractFamily: "cca" as const };
    expect(clausesOf({ ...auction, paymentTokens: [TOKEN] }, ofAuction)).toEqual([]);
    expect(clausesOf({}, ofAuction)).toEqual([
      "the contract is no Continuous Clearing Auction, and the sale’s settings say that it is one",
    ]);
  });

  it("finds an auction that offers something else, or at another lowest price", () => {
    const stated = { offeredAmount: "1000", floorTicks: "7" };
    const auction = { family: ContractFamily.CCA, paymentTokens: [TOKEN], auction: stated };
    const ofAuction = { ...EXPECTED, contractFamily: "cca" as const };
    const clauses = (terms: SourceExpectation["terms"], decimals = {}) =>
      clausesOf({ ...auction, auction: { ...stated, ...decimals } }, { ...ofAuction, terms });
    expect(clauses({ offeredAmount: 1_000n, floorTicks: 7n })).toEqual([]);
    expect(clauses(undefined)).toEqual([]);
    expect(clauses({ offeredAmount: 999n, floorTicks: 8n })).toEqual([
      "the auction offers 1000 smallest units of its token, and this sale 999",
      "the auction’s lowest price is 7 price ticks, and this sale’s 8",
    ]);
    const ours = { offeredAmount: 1_000n, floorTicks: 7n, offeredTokenDecimals: 18 };
    expect(clauses(ours)).toEqual([]);
    expect(clauses(ours, { offeredTokenDecimals: 18 })).toEqual([]);
    expect(clauses(ours, { offeredTokenDecimals: 6 })).toEqual([
      "the auction’s token has 6 decimals, and this sale says 18",
    ]);
  });

  it("finds an auction whose terms nobody can read, where the sale has some", () => {
    const ofAuction = { ...EXPECTED, contractFamily: "cca" as const, terms: { offeredAmount: 1n, floorTicks: 1n } };
    const problem = ["the auction’s offer and lowest price can’t be read"];
    expect(clausesOf({ family: ContractFamily.CCA, auction: {} }, ofAuction)).toEqual(problem);
    expect(clausesOf({ family: ContractFamily.CCA }, ofAuction)).toEqual(problem);
  });

  it("finds a version that takes amounts away from a sale that keeps them", () => {
    expect(clausesOf({ cancelledKeepsAmounts: false }, { ...EXPECTED, cancelledKeepsAmounts: true })).toEqual([
      "the contract takes the amounts of cancelled commitments away, and the sale says otherwise",
    ]);
  });

  it("tells addresses apart whose letters differ in case, where they aren't hexadecimal", () => {
    const expected = { ...EXPECTED, paymentTokens: ["So1ana"] };
    expect(clausesOf({ paymentTokens: ["So1anA"] }, expected)).toHaveLength(1);
    expect(clausesOf({ paymentTokens: ["So1ana"] }, expected)).toEqual([]);
  });
});

describe("decimalsProblems", () => {
  it("finds decimals that differ, and nothing about a token that doesn't say", () => {
    const declared = [
      { address: TOKEN, decimals: 18 },
      { address: OTHER_TOKEN, decimals: 6 },
    ];
    const found = [{ address: TOKEN, decimals: 6 }, { address: OTHER_TOKEN }];
    expect(decimalsProblems(declared, found).map(sourceProblemClause)).toEqual([
      `the payment token ${TOKEN} has 6 decimals on its chain, and 18 in the sale`,
    ]);
    expect(decimalsProblems([{ address: TOKEN, decimals: 6 }], found)).toEqual([]);
  });
});

describe("refusedFindings", () => {
  it("takes an unknown chain and a wrong address for facts, and nothing else", () => {
    const problemsOf = (code: "not_found" | "invalid_argument" | "unavailable") =>
      refusedFindings(new ServiceError(code, "scripted"))?.problems;
    expect(problemsOf("not_found")).toEqual(["scripted"]);
    expect(problemsOf("invalid_argument")).toEqual(["this is no address of such a chain"]);
    expect(problemsOf("unavailable")).toBeUndefined();
    expect(refusedFindings(undefined)).toBeUndefined();
  });
});
