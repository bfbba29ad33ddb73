import { Histogram, Registry } from "prom-client";
import { expect, it } from "vitest";
import { DURATION_BUCKETS } from "../../../common/platform/metrics/duration-buckets.ts";
import { DurationCounts, DurationHistogram } from "./duration-counts.ts";

const NAME = "any_seconds";
const SECONDS = [0, 0.000_4, 0.001, 0.001_1, 0.25, 7, 30, 31];

it("exports what prom-client's own histogram exports for the same durations", async () => {
  const [registry, expected] = [new Registry(), new Registry()];
  const options = { name: NAME, help: "Any.", labelNames: ["result"] };
  const [ok, failed] = [new DurationCounts(), new DurationCounts()];
  const series = [
    [{ result: "ok" }, ok],
    [{ result: "failed" }, failed],
  ] as const;
  new DurationHistogram({ ...options, series, registry });
  const own = new Histogram({ ...options, buckets: [...DURATION_BUCKETS], registers: [expected] });
  own.zero({ result: "ok" });
  own.zero({ result: "failed" });
  for (const seconds of SECONDS) {
    ok.add(seconds * 1_000);
    own.observe({ result: "ok" }, (seconds * 1_000) / 1_000);
  }
  failed.add(100);
  own.observe({ result: "failed" }, 0.1);
  expect(await registry.metrics()).toBe(await expected.metrics());
  expect(await registry.getMetricsAsJSON()).toMatchObject([{ name: NAME, type: "histogram" }]);
});
