import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { PermitCountSchema } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { permitSeries } from "./permit-series.ts";

const NOW = Date.UTC(2026, 11, 10, 12, 30);

function count(hour: number, permits: bigint) {
  return create(PermitCountSchema, { hour: timestampFromMs(hour), permits });
}

describe("permitSeries", () => {
  it("has an hour for each of the last 48, also those without permits", () => {
    const { unit, spans } = permitSeries(
      [count(Date.UTC(2026, 11, 10, 12), 3n), count(Date.UTC(2026, 11, 8, 13), 2n)],
      NOW,
    );
    expect([unit, spans.length]).toEqual(["hour", 48]);
    expect([spans[0], spans.at(-1)]).toEqual([
      { fromMs: Date.UTC(2026, 11, 8, 13), permits: 2n },
      { fromMs: Date.UTC(2026, 11, 10, 12), permits: 3n },
    ]);
  });

  it("has days, with the sum of their hours, as soon as one permit is older", () => {
    const hours = [12, 11, 10].map((hour) => count(Date.UTC(2026, 11, 9, hour), 5n));
    const { unit, spans } = permitSeries([...hours, count(Date.UTC(2026, 11, 8, 12), 1n)], NOW);
    expect([unit, spans.length]).toEqual(["day", 30]);
    expect(spans.slice(-3)).toEqual([
      { fromMs: Date.UTC(2026, 11, 8), permits: 1n },
      { fromMs: Date.UTC(2026, 11, 9), permits: 15n },
      { fromMs: Date.UTC(2026, 11, 10), permits: 0n },
    ]);
  });
});
