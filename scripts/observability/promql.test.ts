import { describe, expect, it } from "vitest";
import { promqlUse } from "./promql.ts";

describe("promqlUse", () => {
  it("finds metrics, matchers and grouping labels", () => {
    const { selectors, labels } = promqlUse(
      'histogram_quantile(0.99, sum by (le, service) (rate(a_bucket{code!~"x|y",b="c"}[5m]))) / on (job) group_left (z) d > 2.5e3',
    );
    expect(selectors).toEqual([
      {
        metric: "a_bucket",
        matchers: [
          { label: "code", operator: "!~", value: "x|y" },
          { label: "b", operator: "=", value: "c" },
        ],
      },
      { metric: "d", matchers: [] },
    ]);
    expect(labels).toEqual(["le", "service", "job", "z"]);
  });

  it.each(["sum(a", "a{b}", "a{b=c}", "a b", "sum(a))", "sums(a)"])("refuses %s", (expression) => {
    expect(() => promqlUse(expression)).toThrow(SyntaxError);
  });
});
