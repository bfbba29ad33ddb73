import { describe, expect, it } from "vitest";
import { traceqlUse } from "./traceql.ts";

describe("traceqlUse", () => {
  it("finds comparisons and selected attributes", () => {
    const query =
      '{ kind = server && span.http.route =~ "/a{b}.*" && duration > 50ms } >> { name = "x" || span.db.system.name != nil } | select(span.rpc.method, resource.service.name)';
    expect(traceqlUse(query)).toEqual({
      comparisons: [
        { field: "kind", value: "server" },
        { field: "span.http.route", value: '"/a{b}.*"' },
        { field: "duration", value: "50ms" },
        { field: "name", value: '"x"' },
        { field: "span.db.system.name", value: "nil" },
      ],
      selected: ["span.rpc.method", "resource.service.name"],
    });
  });

  it.each([
    "{ kind = server",
    "{ kind = servers }",
    "{ kind = server kind = client }",
    "{ http.route = nil }",
    "{ duration > 5 }",
    "{ kind = server } > { kind = client }",
    "{ kind = server } | select(name())",
    "{ kind = server } | select(http.route)",
    "kind = server",
  ])("refuses %s", (query) => {
    expect(() => traceqlUse(query)).toThrow(SyntaxError);
  });
});
