import { describe, expect, it } from "vitest";
import { extraDataParsers } from "./extra-data-parsers.ts";

/** Parameter lists that all differ. */
const parametersOf = (number: number) => `uint64 p${number}`;

describe("extraDataParsers", () => {
  it("parses by the parameter list", async () => {
    const parse = await extraDataParsers()("uint64 tier");
    const seven = new Uint8Array(32);
    seven[31] = 7;
    expect(parse(seven)).toEqual({ tier: "7" });
  });

  it("makes the parser of a list once", () => {
    const parserOf = extraDataParsers();
    expect(parserOf("uint64 tier")).toBe(parserOf("uint64 tier"));
    expect(parserOf("uint64 tier")).not.toBe(parserOf("uint64 level"));
  });

  it("keeps 1,000, and forgets the one that was used longest ago", async () => {
    const parserOf = extraDataParsers();
    const parsers = Array.from({ length: 1_000 }, (_, number) => parserOf(parametersOf(number)));
    expect(parserOf(parametersOf(0))).toBe(parsers[0]);
    const newest = parserOf(parametersOf(1_000));
    expect(parserOf(parametersOf(0))).toBe(parsers[0]);
    expect(parserOf(parametersOf(1))).not.toBe(parsers[1]);
    await Promise.all([...parsers, newest]);
  });
});
