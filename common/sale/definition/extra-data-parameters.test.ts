import { describe, expect, it } from "vitest";
import { AbiParameterError } from "./abi-type.ts";
import { parseExtraDataParameters } from "./extra-data-parameters.ts";

describe("parseExtraDataParameters", () => {
  it.each(["", "  "])("reads %j as no parameters", async (text) => {
    expect(await parseExtraDataParameters(text)).toEqual([]);
  });

  it("reads names and types", async () => {
    const members = await parseExtraDataParameters(" uint64 tier, (address, bytes data)[] memory links ");
    expect(members).toMatchObject([
      { name: "tier", type: { kind: "integer", bits: 64, signed: false } },
      {
        name: "links",
        type: { kind: "array", element: { kind: "tuple", members: [{ name: "0" }, { name: "data" }] } },
      },
    ]);
  });

  it.each([
    ["an unnamed parameter", "uint64 tier, address", "must have a name"],
    ["a name twice", "uint64 tier, address tier", "must not repeat"],
    ["__proto__", "uint64 __proto__", "__proto__"],
    ["an unknown type", "uint65 tier", "Unknown type"],
    ["a keyword as name", "uint64 public", "not a list"],
    ["a function", "function f(uint64 tier)", "not a list"],
    ["open parentheses", "(uint64 tier", "parenthes"],
    ["separators only", ",", "not a list"],
    ["too much text", `uint64 ${"t".repeat(2000)}`, "2000 characters"],
    ["a parenthesis in a parenthesis in …", `${"(".repeat(500)}bool${")".repeat(500)} a`, "nest"],
  ])("refuses %s", async (_, text, message) => {
    await expect(parseExtraDataParameters(text)).rejects.toThrow(AbiParameterError);
    await expect(parseExtraDataParameters(text)).rejects.toThrow(message);
  });
});
