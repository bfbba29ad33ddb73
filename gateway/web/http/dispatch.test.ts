import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { dispatch, hostMatcher, type Route } from "./dispatch.ts";

/** Returns the route that a request reaches, with the parameter that its handler gets. */
function reach(paths: readonly (readonly [path: string, host: "public" | "auth"])[], authOrigin?: string) {
  let reached = "";
  const note = (name: string) => (_: unknown, __: unknown, parameter: string) => {
    reached = `${name} ${parameter}`.trim();
  };
  const routes = paths.map(([path, host]): Route => [path, "test", host, note(path)]);
  const listener = dispatch(routes, { authOrigin, notFound: note("nothing"), ambiguous: note("refusal") });
  return (url: string, host = "any.example") => {
    listener({ url, headers: { host } } as IncomingMessage, {} as ServerResponse);
    return reached;
  };
}

describe("dispatch", () => {
  const one = reach([
    ["/a", "public"],
    ["/sales/{uuid}/figures", "public"],
    ["/sales/{uuid}/figures/stream", "public"],
    ["/sales/*", "public"],
    ["/sales/late", "public"],
    ["/b", "public"],
    ["/b", "auth"],
  ]);

  it.each([
    ["/a", "/a"],
    ["/a?b", "/a"],
    ["http://any.example/a", "/a"],
    ["/a/", "nothing"],
    ["/%61", "nothing"],
    ["/A", "nothing"],
    ["//a", "nothing"],
    ["", "nothing"],
    ["*", "nothing"],
    ["/sales/x/figures", "/sales/{uuid}/figures x"],
    ["/sales/x/figures?y", "/sales/{uuid}/figures x"],
    ["/sales/x/figures/stream", "/sales/{uuid}/figures/stream x"],
    ["/sales/%2f/figures", "refusal"],
    ["/sales/../b", "refusal"],
    ["/sales/%2E%2e/b?y", "refusal"],
    ["http://any.example/sales/./b", "refusal"],
    ["/sales//figures", "/sales/* /figures"],
    ["/sales/x/y/figures", "/sales/* x/y/figures"],
    ["/sales/figures", "/sales/* figures"],
    ["/sales/", "/sales/*"],
    ["/sales", "nothing"],
    ["/sales/late", "/sales/* late"],
    ["/b", "/b"],
  ])("%s reaches %s", (target, expected) => {
    expect(one(target)).toBe(expected);
  });

  it("gives the host of sign-in its routes alone, and every other host the public ones", () => {
    const two = reach(
      [
        ["/read", "public"],
        ["/sign-in", "auth"],
      ],
      "https://auth.example",
    );
    expect([two("/read", "auth.example"), two("/sign-in", "auth.example")]).toEqual(["nothing", "/sign-in"]);
    expect([two("/read"), two("/sign-in")]).toEqual(["/read", "nothing"]);
    expect([two("/sign-in", "Auth.Example"), two("/sign-in", "auth.example:443")]).toEqual(["/sign-in", "/sign-in"]);
    expect(two("/sign-in", "auth.example:80")).toBe("nothing");
  });

  it("serves all routes on any host where sign-in has none of its own", () => {
    const all = reach([
      ["/read", "public"],
      ["/sign-in", "auth"],
    ]);
    expect([all("/read"), all("/sign-in")]).toEqual(["/read", "/sign-in"]);
  });
});

it.each([
  ["https://sign-in.example", "sign-in.example", true],
  ["https://sign-in.example", "Sign-In.EXAMPLE", true],
  ["https://sign-in.example", "sign-in.example:443", true],
  ["https://sign-in.example", "SIGN-IN.example:443", true],
  ["http://sign-in.example", "sign-in.example:80", true],
  ["https://[2001:db8::1]", "[2001:DB8::1]:443", true],
  ["https://sign-in.example:8443", "sign-in.example:8443", true],
  ["https://sign-in.example", "sign-in.example:80", false],
  ["https://sign-in.example", "sign-in.example:8443", false],
  ["https://sign-in.example:8443", "sign-in.example", false],
  ["https://sign-in.example", "sign-in.example.", false],
  ["https://sign-in.example", "", false],
  ["https://sign-in.example", undefined, false],
])("compares %s with the header %j: %j", (url, header, matches) => {
  expect(hostMatcher(url)(header)).toBe(matches);
});
