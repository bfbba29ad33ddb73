import { decodeFunctionData, encodeAbiParameters, encodeFunctionResult, keccak256, toBytes } from "viem/utils";
import { describe, expect, it } from "vitest";
import { saleAbi } from "../../../../test/support/chains/evm-sale-abi.ts";
import { ROW_TOPICS, STAGE_TOPIC } from "./abi.ts";
import { loadSaleCalls } from "./sale-calls.ts";

const calls = await loadSaleCalls();

describe("the calls of a sale contract", () => {
  it.each([
    [calls.numCommitments, "0xa0ea7a57"],
    [calls.rows(1n, 2n), "0x6a18b324"],
    [calls.totals, "0xe2ccb2b4"],
    [calls.version, "0x54fd4d50"],
  ])("have the selectors of the interface", ({ data }, selector) => {
    expect(data.slice(0, 10)).toBe(selector);
  });

  it("ask for a half-open range", () => {
    const data = calls.rows(5n, 12n).data as `0x${string}`;
    expect(decodeFunctionData({ abi: saleAbi, data })).toEqual({
      functionName: "readCommitmentDataIn",
      args: [5n, 12n],
    });
  });

  it("add up a token that is listed twice, in lower case", () => {
    const token = "0xAbCdEf0123456789aBcDeF0123456789AbCdEf01".toLowerCase() as `0x${string}`;
    const result = [1n, 2n].map((amount) => ({ token, amount }));
    const answer = encodeFunctionResult({ abi: saleAbi, functionName: "totalCommittedAmountByToken", result });
    expect(calls.totals.decode(answer)).toEqual(new Map([[token, 3n]]));
  });

  it("refuse the totals of more tokens than a sale can have", () => {
    const token = `0x${"1".repeat(40)}` as const;
    const result = Array.from({ length: 1001 }, () => ({ token, amount: 1n }));
    const answer = encodeFunctionResult({ abi: saleAbi, functionName: "totalCommittedAmountByToken", result });
    expect(() => calls.totals.decode(answer)).toThrow("1001 tokens");
  });

  it("take any number of a stage, as versions of the contract differ", () => {
    const answer = (stage: number) => encodeFunctionResult({ abi: saleAbi, functionName: "stage", result: stage });
    expect([0, 5, 255].map((stage) => calls.stage.decode(answer(stage)))).toEqual([0, 5, 255]);
    expect(() => calls.stage.decode(`0x${"f".repeat(64)}`)).toThrow("more than 64 bits");
  });

  it("take a version of three numbers, and no text", () => {
    const answer = encodeFunctionResult({ abi: saleAbi, functionName: "version", result: [1, 0, 4_294_967_295] });
    expect(calls.version.decode(answer)).toEqual([1, 0, 4_294_967_295]);
    const text = encodeAbiParameters([{ type: "string" }], ["1.0.0"]);
    expect(() => calls.version.decode(text)).toThrow("bits");
    expect(() => calls.version.decode(answer.slice(0, -64) as `0x${string}`)).toThrow(RangeError);
  });
});

describe("the topics", () => {
  it.each([
    ["BidPlaced(bytes16,address,(bool,uint64,uint256))", ROW_TOPICS.bidPlaced],
    ["CommitmentIncreased(bytes16,address,address,uint256)", ROW_TOPICS.commitmentIncreased],
    ["CommitmentReduced(bytes16,address,address,uint256)", ROW_TOPICS.commitmentReduced],
    ["EntityRefunded(bytes16,uint256)", ROW_TOPICS.entityRefunded],
    ["StageChanged(uint8,uint8)", STAGE_TOPIC],
  ])("are those of %s", (signature, topic) => {
    expect(keccak256(toBytes(signature))).toBe(topic);
  });
});
