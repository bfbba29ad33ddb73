import { describe, expect, it } from "vitest";
import { type AbiParameter, AbiParameterError, abiMembers } from "./abi-type.ts";

const typeOf = (type: string, components?: readonly AbiParameter[]) =>
  abiMembers([components === undefined ? { type, name: "it" } : { type, name: "it", components }])[0]?.type;

describe("the layout of a type", () => {
  const flat = [
    { type: "uint8", name: "a" },
    { type: "bytes4", name: "b" },
  ];
  const withText = [
    { type: "uint8", name: "a" },
    { type: "string", name: "b" },
  ];

  it.each<[string, readonly AbiParameter[] | undefined, boolean, number]>([
    ["uint256", undefined, false, 32],
    ["bytes32", undefined, false, 32],
    ["bytes", undefined, true, 32],
    ["string", undefined, true, 32],
    ["bool[]", undefined, true, 32],
    ["bool[3]", undefined, false, 96],
    ["bool[3][2]", undefined, false, 192],
    ["string[3]", undefined, true, 32],
    ["bool[][2]", undefined, true, 32],
    ["tuple", flat, false, 64],
    ["tuple[5]", flat, false, 320],
    ["tuple", withText, true, 32],
  ])("%s", (type, components, dynamic, headBytes) => {
    expect(typeOf(type, components)).toMatchObject({ dynamic, headBytes });
  });

  it("keeps the order of array dimensions: the last is the outermost", () => {
    expect(typeOf("int8[2][]")).toMatchObject({
      kind: "array",
      element: { kind: "array", length: 2, element: { kind: "integer", signed: true, bits: 8 } },
    });
  });

  it("may be seven dimensions deep", () => {
    expect(typeOf(`bool${"[]".repeat(7)}`)).toMatchObject({ kind: "array" });
  });
});

describe("members", () => {
  it("without a name are named by their index", () => {
    const members = abiMembers([{ type: "bool" }, { type: "bool", name: "b" }, { type: "bool" }]);
    expect(members.map(({ name }) => name)).toEqual(["0", "b", "2"]);
  });

  const nested = (type: string, depth: number): AbiParameter =>
    depth === 0 ? { type, name: "a" } : { type: "tuple", name: "a", components: [nested(type, depth - 1)] };

  it.each<[string, readonly AbiParameter[], string]>([
    ["an unknown type", [{ type: "fixed128x18", name: "a" }], "fixed128x18"],
    ["a function", [{ type: "function", name: "a" }], "function"],
    ["uint of 0 bits", [{ type: "uint0", name: "a" }], "uint0"],
    ["uint of 12 bits", [{ type: "uint12", name: "a" }], "uint12"],
    ["uint of 264 bits", [{ type: "uint264", name: "a" }], "uint264"],
    ["33 fixed bytes", [{ type: "bytes33", name: "a" }], "bytes33"],
    ["no fixed bytes", [{ type: "bytes0", name: "a" }], "bytes0"],
    ["a fixed array of none", [{ type: "bool[0]", name: "a" }], "must have elements"],
    ["an empty tuple", [{ type: "tuple", name: "a", components: [] }], "must have members"],
    ["an array beyond 64 KiB", [{ type: "bool[2049]", name: "a" }], "64 KiB"],
    ["an array of any length", [{ type: `bool[${"9".repeat(400)}]`, name: "a" }], "64 KiB"],
    ["an array of arrays beyond 64 KiB", [{ type: "bool[64][64]", name: "a" }], "64 KiB"],
    ["eight dimensions", [{ type: `bool${"[]".repeat(8)}`, name: "a" }], "nest"],
    ["eight nested tuples", [nested("bool", 8)], "nest"],
    ["a repeated name", ["a", "b", "a"].map((name) => ({ type: "bool", name })), "repeat"],
    ["__proto__", [{ type: "bool", name: "__proto__" }], "__proto__"],
    [
      "__proto__ inside",
      [{ type: "tuple", name: "a", components: [{ type: "bool", name: "__proto__" }] }],
      "__proto__",
    ],
  ])("can't be %s", (_, parameters, message) => {
    expect(() => abiMembers(parameters)).toThrow(AbiParameterError);
    expect(() => abiMembers(parameters)).toThrow(message);
  });
});
