import { type Hex, keccak256 } from "viem";
import { describe, expect, it } from "vitest";
import { bloomOf, CONTRACT, logsBloomOf } from "../../../test/support/chains/evm-chain.ts";
import { bloomMayHave, parseBloom, tellsMuch } from "./logs-bloom.ts";

const EMPTY_WORD = `0x${"0".repeat(64)}`;

describe("the bloom of a block's logs", () => {
  it("is read as go-ethereum makes it", () => {
    const text = (index: number) => Buffer.from(`xxxxxxxxxx data ${index} yyyyyyyyyyyyyy`).toString("hex");
    const values = Array.from({ length: 100 }, (_, index): Hex => `0x${text(index)}`);
    const bloom = bloomOf(values);
    // Source: TestBloomExtensively in core/types/bloom9_test.go.
    expect(keccak256(bloom)).toBe("0xc8d3ca65cdb4874300a9e39475508f23ed6da09fdbc487f89a2dcf50b09eb263");
    expect(values.every((value) => bloomMayHave(bloom.slice(2), value))).toBe(true);
    expect(bloomMayHave(bloom.slice(2), CONTRACT)).toBe(false);
  });

  it("has the addresses and topics of its logs, and not others", () => {
    const topics = Array.from({ length: 20 }, (_, index) => `0x${(index + 1).toString(16).padStart(64, "0")}`);
    const bloom = parseBloom(logsBloomOf(topics.map((topic) => ({ topics: [topic] })))) ?? "";
    expect([CONTRACT, ...topics].every((value) => bloomMayHave(bloom, value))).toBe(true);
    const others = Array.from({ length: 200 }, (_, index) => `0x${(index + 1000).toString(16).padStart(64, "0")}`);
    expect(others.filter((value) => bloomMayHave(bloom, value)).length).toBeLessThan(5);
    expect(bloomMayHave(bloom, EMPTY_WORD)).toBe(false);
  });

  it("tells much as long as it has at most half of its bits", () => {
    const values = Array.from({ length: 700 }, (_, index): Hex => `0x${index.toString(16).padStart(64, "0")}`);
    const others = values.slice(0, 100).map((value): Hex => `${value}01`);
    const seems = (bloom: string) => others.filter((value) => bloomMayHave(bloom.slice(2), value)).length;
    const [quiet, busy] = [bloomOf(values.slice(0, 350)), bloomOf(values)];
    expect([quiet, busy].map((bloom) => tellsMuch(bloom.slice(2)))).toEqual([true, false]);
    expect(seems(quiet)).toBeLessThan(13);
    expect(seems(busy)).toBeGreaterThan(13);
  });

  it.each([
    ["of zeros", `0x${"0".repeat(512)}`],
    ["of ones", `0x${"F".repeat(512)}`],
    ["that is too short", "0x00"],
    ["that is absent", undefined],
  ])("%s says nothing", (_, bloom) => expect(parseBloom(bloom)).toBeUndefined());
});
