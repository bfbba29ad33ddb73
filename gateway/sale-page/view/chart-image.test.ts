import "../../testing/english-words.ts";
import { describe, expect, it } from "vitest";
import { worstSale } from "../../testing/worst-sale.ts";
import { freshnessOf } from "../browser/freshness.js";
import { chartImage } from "./chart-image.ts";
import { inLanguage } from "./in-language.ts";
import { type SaleView, saleView } from "./sale-view.ts";

const NOW = 1_800_000_000;

/** @param clearing numerator of the price, over a thousand */
function view(clearing?: string): SaleView {
  const price = { ClearingPriceNumerator: clearing, ClearingPriceDenominator: "1000" };
  const body = {
    Commitments: [],
    TotalCommitmentAmount: "500",
    UniqueCommitmentCount: 2,
    PaymentTokenDecimals: 0,
    OfferedTokenDecimals: 0,
    ...(clearing === undefined ? {} : price),
  };
  return saleView({
    identity: { bytes: Buffer.from(JSON.stringify(body)), headers: [], postHeaders: [] },
    sale: undefined,
    now: NOW * 1_000,
  });
}

function level(price: string, cumulative: string): object {
  return {
    HighestPriceNumerator: price,
    HighestPriceDenominator: "1000",
    LowestPriceNumerator: price,
    LowestPriceDenominator: "1000",
    CumulativeAmount: cumulative,
  };
}

function history(...totals: readonly string[]): string {
  const Points = totals.map((TotalCommitmentAmount, index) => ({
    From: new Date((NOW - 3_600 * (totals.length - index)) * 1_000).toISOString(),
    Seconds: 1,
    TotalCommitmentAmount,
  }));
  return JSON.stringify({ Points });
}

const image = (...args: Parameters<typeof chartImage>) => chartImage(...args).toString();

describe("the image of a sale's history", () => {
  it("goes in steps from nothing to the total of now", () => {
    const svg = image("history", view(), history("100", "300"), NOW);
    // The lowest grid line, 0, is at 190; the highest, 600, at 28.
    expect(svg).toContain(
      'class="curve" d="M54.0 190.0L54.0 190.0L54.0 163.0L199.0 163.0L199.0 109.0L344.0 109.0L344.0 55.0L344.0 55.0"',
    );
    expect(svg).toMatch(/>\d\d:\d\d UTC<.*>\d\d:\d\d UTC</);
  });

  it("has no slope, however steadily a sale grows", () => {
    const totals = Array.from({ length: 49 }, (_, index) => `${10 * (index + 1)}`);
    const [, path = ""] = /class="curve" d="M([^"]+)"/.exec(image("history", view(), history(...totals), NOW)) ?? [];
    const points = path.split("L").map((point) => point.split(" "));
    expect(points).toHaveLength(102);
    for (const [index, [x, y]] of points.slice(1).entries()) {
      const [beforeX, beforeY] = points[index] ?? [];
      expect(x === beforeX || y === beforeY).toBe(true);
    }
  });

  it("ends with the last change of a settled sale", () => {
    const settled: SaleView = { ...view(), freshness: freshnessOf({ name: "settled", since: 0 }, null) };
    const svg = image("history", settled, history("100", "300"), NOW + 86_400);
    expect(svg).toContain('class="curve" d="M54.0 190.0L54.1 190.0L54.1 136.0L344.0 136.0L344.0 28.0L344.0 28.0"');
  });

  it("ends where its figures end", () => {
    const stale: SaleView = { ...view(), freshness: freshnessOf({ name: "stopped", since: NOW * 1_000 }, null) };
    const points = history("100", "300");
    expect(image("history", stale, points, NOW + 86_400)).toBe(image("history", view(), points, NOW));
  });

  it("leaves room for long numbers of its axis", () => {
    const svg = inLanguage("de", () => image("history", view(), history("300000", "400000"), NOW));
    const [, left = ""] = /class="grid" d="M(\d+) /.exec(svg) ?? [];
    expect(Number(left)).toBeGreaterThanOrEqual("400.000".length * 7);
    expect(svg).toContain(`<text x="${Number(left) - 6}.0" y="32.0" text-anchor="end">400.000<`);
    expect(svg).toContain(`class="curve" d="M${left}.0 190.0L`);
  });

  it("has days below it where it is long", () => {
    expect(image("history", view(), history(...Array(40).fill("1")), NOW)).toMatch(/>\d+ Jan<.*>\d+ Jan</);
  });

  it("says that nothing is committed", () => {
    expect(image("history", view(), history(), NOW)).toContain(">Nothing is committed.<");
    const unbid = { ...view(), totals: { ...view().totals, TotalCommitmentAmount: "0" } };
    expect(image("history", unbid, history("0", "0"), NOW)).toContain(">Nothing is committed.<");
    expect(image("history", unbid, history("0", "5"), NOW)).toContain('class="curve"');
  });
});

describe("the images of a sale's other figures over time", () => {
  const points = (...clearing: readonly (string | undefined)[]) =>
    JSON.stringify({
      Points: clearing.map((ClearingPriceNumerator, index) => ({
        From: new Date((NOW - 3_600 * (clearing.length - index)) * 1_000).toISOString(),
        Seconds: 1,
        TotalCommitmentAmount: "1",
        UniqueCommitmentCount: index + 1,
        ...(ClearingPriceNumerator !== undefined && { ClearingPriceNumerator, ClearingPriceDenominator: "1000" }),
      })),
    });

  it("begin with the first clearing price, around it, and with no commitments", () => {
    const svg = image("clearing", view("400"), points(undefined, "200", "300"), NOW);
    // A third of the way, as the times of all charts begin with the first point.
    expect(svg).toContain('class="curve" d="M150.7 163.0L247.4 163.0L247.4 109.0L344.0 109.0L344.0 55.0L344.0 55.0"');
    expect(svg).not.toContain('class="area"');
    expect(image("count", view("400"), points("1", "1"), NOW)).toContain('class="curve" d="M54.0 190.0L');
  });

  it("have the times of the history of all figures below them", () => {
    const ends = (svg: string) => Array.from(svg.matchAll(/>(\d\d:\d\d UTC)</g), ([, time]) => time);
    const document = points(undefined, "200", "300");
    expect(ends(image("clearing", view("400"), document, NOW))).toEqual(ends(image("count", view(), document, NOW)));
  });

  it("have whole numbers beside a count", () => {
    const numbers = (count: number) => {
      const Points = [{ ...JSON.parse(points("1")).Points[0], UniqueCommitmentCount: count }];
      const settled: SaleView = { ...view(), freshness: freshnessOf({ name: "settled", since: 0 }, null) };
      const svg = image("count", settled, JSON.stringify({ Points }), NOW);
      return Array.from(svg.matchAll(/text-anchor="end">([\d.]+)</g), ([, text]) => text);
    };
    expect(numbers(1)).toEqual(["0", "1"]);
    expect(numbers(9)).toEqual(["0", "3", "6", "9"]);
  });

  it("say that there is no clearing price", () => {
    expect(image("clearing", view("400"), points(undefined), NOW)).toContain(">There is no clearing price.<");
  });
});

describe("the image of a sale's demand", () => {
  const levels = (...all: readonly object[]) => JSON.stringify({ Levels: all });

  it("marks the clearing price on the side where there is room", () => {
    const curve = levels(level("400", "100"), level("200", "500"));
    expect(image("demand", view("200"), curve, NOW)).toContain(
      'text-anchor="start" class="label of-clearing">Clears at 0.20<',
    );
    expect(image("demand", view("400"), curve, NOW)).toContain(
      'text-anchor="end" class="label of-clearing">Clears at 0.40<',
    );
  });

  it("reaches a clearing price below all bids", () => {
    const svg = image("demand", view("100"), levels(level("400", "500")), NOW);
    expect(svg).toContain('class="clearing" d="M54.0 8V190"');
    expect(svg).toMatch(/class="curve" d="M54\.0 (\d+\.\d)L344\.0 \1L344\.0 190\.0"/);
  });

  it("is darker from the price on at which the sale sells: the clearing price, or else the floor", () => {
    const floor = { numerator: "100", denominator: "1000" };
    const curve = levels(level("400", "100"), level("50", "500"));
    const shade = (shown: SaleView) =>
      /<clipPath id="sold"><path d="M([\d.]+) /.exec(image("demand", shown, curve, NOW))?.[1];
    expect(shade({ ...view("200"), floor })).toBe("178.3");
    expect(shade({ ...view(), floor })).toBe("95.4");
    expect(shade(view())).toBeUndefined();
  });

  it("marks the floor at a height of its own", () => {
    const svg = image(
      "demand",
      { ...view("200"), floor: { numerator: "100", denominator: "1000" } },
      levels(level("400", "500")),
      NOW,
    );
    expect(svg).toContain('class="floor" d="M54.0 8V190"');
    expect(svg).toMatch(/y="18\.0" [^>]*>Clears at 0\.20<.*y="32\.0" [^>]*>Floor 0\.10</);
  });

  it("writes the label of the floor where it doesn't cross the clearing price", () => {
    const floor = { numerator: "170", denominator: "1000" };
    const svg = image("demand", { ...view("200"), floor }, levels(level("400", "500"), level("50", "900")), NOW);
    expect(svg).toMatch(/text-anchor="start"[^>]*>Clears at 0\.20<.*text-anchor="end"[^>]*>Floor 0\.17</);
  });

  it("says that there are no bids", () => {
    expect(image("demand", view("100"), levels(), NOW)).toContain(">There are no bids.<");
  });

  it("draws numbers of any size", () => {
    const { data } = worstSale(1n);
    const huge = { ...view(String(data.clearingPrice?.price?.numerator)) };
    const svg = image("demand", huge, levels(level("9".repeat(60), "9".repeat(60)), level("1", "9".repeat(61))), NOW);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });
});
