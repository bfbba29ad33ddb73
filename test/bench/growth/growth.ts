import type { BenchTable } from "../support/bench-table.ts";
import { growthOfASale } from "./growth-of-a-sale.ts";
import { growthOfSales } from "./growth-of-sales.ts";
import { growthOfStreams } from "./growth-of-streams.ts";

/** Figures at three sizes, and what they must be. */
export type GrowthFigures = Pick<BenchTable, "rows" | "notes" | "required">;

/**
 * Measures what grows with sales, with streams and with the commitments of one sale, each at three sizes. It counts (calls,
 * statements, wake-ups, bytes) where it can, so that other work on the machine changes little. About six minutes.
 */
export async function growthBench(): Promise<BenchTable> {
  const parts = [await growthOfSales(), await growthOfStreams(), await growthOfASale()];
  return {
    title: "Growth of sales, of streams, and of one sale",
    columns: ["figure", "small", "middle", "large"],
    rows: parts.flatMap(({ rows }) => rows),
    notes: parts.flatMap(({ notes }) => notes),
    required: parts.flatMap(({ required }) => required),
  };
}
