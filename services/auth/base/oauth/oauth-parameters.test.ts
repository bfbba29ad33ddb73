import { describe, expect, it } from "vitest";
import { OAuthParameters } from "./oauth-parameters.ts";

const parametersOf = (query: string) =>
  new OAuthParameters([...new URLSearchParams(query)].map(([name, value]) => ({ name, value })));

describe("OAuthParameters", () => {
  it.each([
    ["a", ["a"]],
    [" a  b ", ["a", "b"]],
    ["a\tb", ["a\tb"]],
    ["  ", []],
    ["", []],
  ])("splits %j at its spaces, of which surplus ones say nothing", (text, names) => {
    expect(parametersOf(new URLSearchParams({ list: text }).toString()).names("list")).toEqual(names);
    expect(parametersOf("").names("list")).toEqual([]);
  });

  it("returns parameters that were sent once; empty ones count as absent (RFC 6749 section 3.1)", () => {
    const parameters = parametersOf("a=1&b=");
    expect([parameters.optional("a"), parameters.optional("b"), parameters.optional("c")]).toEqual([
      "1",
      undefined,
      undefined,
    ]);
    expect(parameters.required("a")).toBe("1");
  });

  it.each(["b", "c"])("names the missing %s", (name) => {
    expect(() => parametersOf("a=1&b=").required(name)).toThrow(`invalid_request: ${name} is missing`);
  });

  it.each(["a=1&a=2", "a=1&a=1", "a=&a=1", "a=1&b=2&a="])("refuses a repeated parameter in %s", (query) => {
    const parameters = parametersOf(query);
    expect(() => parameters.optional("a")).toThrow("invalid_request: a is sent more than once");
    expect(() => parameters.refuseDuplicates(["a"])).toThrow("a is sent more than once");
    expect(parameters.names("a")).toEqual([]);
  });

  it("refuses a repeated unknown parameter without echoing its name", () => {
    expect(() => parametersOf("evil=1&evil=2").refuseDuplicates(["a"])).toThrow(
      "an unknown parameter is sent more than once",
    );
  });

  it("treats the names of object properties as any other", () => {
    expect(parametersOf("constructor=1&__proto__=2").optional("toString")).toBeUndefined();
    expect(() => parametersOf("a=1&b=2").refuseDuplicates(["a"])).not.toThrow();
  });
});
