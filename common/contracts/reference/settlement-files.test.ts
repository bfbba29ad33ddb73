import { decodeFunctionData, getAddress, type Hex, parseAbi } from "viem";
import { expect, it } from "vitest";
import type { Allocation } from "../../sale/record/allocation.ts";
import { settlementFiles, unknownCalls } from "./settlement-files.ts";

const CONTRACT = `0x${"c1".repeat(20)}`;
const ABI = parseAbi([
  "function setAllocations((bytes16 entity, address wallet, address token, uint256 acceptedAmount)[] allocations, bool allowOverwrite)",
  "function finalizeSettlement(uint256 expectedTotalAccepted)",
]);

const allocation = (entity: number, accepted: bigint, wallet = 1): Allocation => ({
  entityId: entity.toString(16).padStart(32, "0"),
  ...{ wallet: `0x${wallet.toString(16).padStart(40, "0")}`, token: `0x${"a1".repeat(20)}`, accepted },
});

async function callsOf(allocations: readonly Allocation[], batchSize: number) {
  const settlement = { chainId: 1n, contract: CONTRACT, allocations, batchSize };
  const files: { path: string; text: string }[] = [];
  for await (const { path, texts } of settlementFiles(settlement)) files.push({ path, text: [...texts].join("") });
  const { calls }: { calls: { data: Hex; allocations?: number }[] } = JSON.parse(files.at(-1)?.text ?? "");
  return { files, calls };
}

it("encodes what the contract takes, never overwriting, with the sum at the end", async () => {
  const { files, calls } = await callsOf([allocation(1, 2n ** 255n), allocation(2, 5n)], 1);
  expect(calls.map(({ data }) => data.slice(0, 10))).toEqual(["0x192fdf66", "0x192fdf66", "0x96d0cb37"]);
  const row = {
    entity: `0x${"1".padStart(32, "0")}`,
    wallet: `0x${"1".padStart(40, "0")}`,
    acceptedAmount: 2n ** 255n,
  };
  const { args } = decodeFunctionData({ abi: ABI, data: calls[0]?.data ?? "0x" });
  expect(args).toEqual([[{ ...row, token: getAddress(`0x${"a1".repeat(20)}`) }], false]);
  expect(decodeFunctionData({ abi: ABI, data: calls[2]?.data ?? "0x" }).args).toEqual([2n ** 255n + 5n]);
  const safes = files.slice(0, -1).map(({ text }) => JSON.parse(text).transactions);
  expect(safes).toEqual(
    calls.map(({ data }) => [expect.objectContaining({ to: getAddress(CONTRACT), value: "0", data })]),
  );
});

it("never divides the allocations of an entity", async () => {
  const many = [
    allocation(1, 1n),
    ...[1, 2, 3].map((wallet) => allocation(2, 1n, wallet)),
    allocation(3, 1n),
    allocation(4, 1n),
  ];
  expect((await callsOf(many, 2)).calls.map((call) => call.allocations)).toEqual([1, 3, 2, undefined]);
});

it("ends a settlement that accepts nothing, too", async () => {
  const { calls } = await callsOf([], 200);
  expect(calls.map(({ data }) => data)).toEqual([`0x96d0cb37${"0".repeat(64)}`]);
});

it("knows the calls of version 2 on EVM chains only", () => {
  expect(unknownCalls("evm", 2)).toBeUndefined();
  expect(unknownCalls("evm", 1)).toBe("other_version");
  expect(unknownCalls("evm", 3)).toBe("other_version");
  expect(unknownCalls("evm", undefined)).toBe("unknown_version");
  expect(unknownCalls("svm", 2)).toBe("only_accounts");
});
