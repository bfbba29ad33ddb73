import { expect, it } from "vitest";
import { readRepository } from "../../../test/support/repository/repository.ts";
import { STATUS_METRICS } from "./status-metrics.ts";

/** The conditions of all alerts. */
const CONDITIONS = Array.from(
  readRepository("deploy/helm/tidemark/files/alerts.yaml").matchAll(/^ +expr: "(.*)"$/gm),
  ([, condition = ""]) => condition,
);

/** The bound of the alert whose only metric of its kind is the given one, such as `> 30`. */
const boundOf = (metric: string) =>
  CONDITIONS.filter((condition) => new RegExp(`\\b${metric}\\b`).test(condition)).map(
    (condition) => / ([>=]+ [\d.]+)$/.exec(condition)?.[1],
  );

it.each(STATUS_METRICS.filter(({ wrongAbove }) => wrongAbove !== undefined))(
  "$metric is wrong above the bound of its alert",
  ({ metric, wrongAbove }) => {
    expect(boundOf(metric)).toEqual([`> ${wrongAbove}`]);
  },
);

it("the bus is wrong where its alert says so", () => {
  expect(boundOf("tidemark_bus_connected")).toEqual(["== 0"]);
});
