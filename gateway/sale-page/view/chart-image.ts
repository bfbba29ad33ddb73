import { html, raw } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import {
  axisTexts,
  demandSeries,
  drawnText,
  fromPrice,
  historySeries,
  type Level,
  type Series,
} from "../browser/curves.js";
import { shortUnits } from "../browser/figures.js";
import { endOf } from "../browser/freshness.js";
import { labelStarts, type Mark, marksOf } from "../browser/marks.js";
import {
  type HistoryPoint,
  historyPeriods,
  historyRange,
  isNothing,
  MEASURES,
  type MeasureName,
} from "../browser/measures.js";
import { timeText } from "../browser/times.js";
import { texts } from "../browser/words.js";
import type { SaleView } from "./sale-view.ts";

export type ChartName = MeasureName | "demand";

/** Size of the image in its own units, and position of the part with the curve: at the least its `left`. */
export const IMAGE = { width: 360, height: 220 };
const PLOT = { left: 54, right: 344, top: 28, bottom: 190 };
const GRID_LINES = 4;
/** Space between an axis and its numbers. */
const AXIS_GAP = 6;
/** Width of a character of those numbers, in the widest usual fonts. */
const CHARACTER_WIDTH = 7.2;
/** Distance between the labels of marked lines. */
const LABEL_LINE = 14;
/** Distances between grid lines, as multiples of a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];
const DAY_SECONDS = 86_400;

/** Colours of the page, repeated here since an image has only its own styles. */
const STYLE = `text{font:12px system-ui,sans-serif;fill:#4c6067}.grid{stroke:#d5dfe2}.curve{fill:none;stroke:#0b6275;stroke-width:2}
.area{fill:#0b6275;opacity:.12}.sold{opacity:.24}.clearing{stroke:#9a3412;stroke-width:2;stroke-dasharray:6 4}.floor{stroke:#4c6067;stroke-width:2;stroke-dasharray:2 3}.label{font-weight:600}.of-clearing{fill:#9a3412}
@media(prefers-color-scheme:dark){text{fill:#a3b5bb}.grid{stroke:#2b3b41}.curve{stroke:#5ec5d8}.area{fill:#5ec5d8;opacity:.14}.sold{opacity:.3}.clearing{stroke:#ffb27a}.floor{stroke:#a3b5bb}.of-clearing{fill:#ffb27a}}`;

interface Curve {
  readonly series: Series;
  /** Labels below the first and the last point. */
  readonly ends: readonly [first: string, last: string];
  readonly marks: readonly Mark[];
  readonly hasDollars: boolean;
  /** The first and the last place across, where the curve is shorter. */
  readonly begin?: number;
  readonly end?: number;
  /** Whether its changes are small beside it, so that it isn't drawn from 0. */
  readonly isPrice?: boolean;
  /** Whether its values have no fractions. */
  readonly isWhole?: boolean;
}

/**
 * Returns a sale's chart as an image, for browsers without scripts.
 *
 * @param document body of the public history or demand
 * @param now in seconds
 */
export function chartImage(name: ChartName, view: SaleView, document: string, now: number): Buffer {
  const body = JSON.parse(document);
  const curve = name === "demand" ? demandCurve(body.Levels, view) : historyCurve(name, body.Points, view, now);
  const content = curve === undefined ? nothing(name) : drawn(curve);
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${IMAGE.width} ${IMAGE.height}"><style>${STYLE}</style>${content}</svg>`,
  );
}

function historyCurve(
  name: MeasureName,
  points: readonly HistoryPoint[],
  view: SaleView,
  now: number,
): Curve | undefined {
  const { units, freshness } = view;
  const measure = MEASURES[name];
  const latest = endOf(freshness, now);
  const past = historyPeriods(points, measure, units, latest);
  const [range, last] = [historyRange(points, latest), past.at(-1)];
  if (range === undefined || last === undefined) return undefined;
  // The curve of a settled sale ends with its last change.
  const end = freshness.name === "over" ? range.end : Math.max(latest, range.end);
  const present =
    freshness.name === "over" ? [] : [{ from: end, end, value: measure.value(view.totals, units) ?? last.value }];
  if (isNothing(measure, [...past, ...present])) return undefined;
  const series = historySeries([...past, ...present], measure.grows, { ...range, end });
  const isOneDay = end - range.begin < DAY_SECONDS;
  const text = (at: number) =>
    isOneDay ? fill(texts().time.utc, { time: timeText(1000 * at, "clock") }) : timeText(1000 * at, "day");
  const { isPrice = false, isWhole = false } = measure;
  const shown = { begin: range.begin, end, isPrice, isWhole };
  return {
    series,
    ends: [text(range.begin), text(end)],
    marks: [],
    hasDollars: measure.units(units).dollars,
    ...shown,
  };
}

function demandCurve(levels: readonly Level[], { units, clearing, floor }: SaleView): Curve | undefined {
  if (levels.length === 0) return undefined;
  const marks = marksOf({ clearing, floor }, shortUnits(units));
  // A symbol may be longer than the image is wide.
  const drawn = { dollars: units.dollars };
  const series = fromPrice(demandSeries(levels, units), Math.min(...marks.map(({ price }) => price)));
  const [first = 0, last = 0] = [series[0][0], series[0].at(-1)];
  const ends = [drawnText(first, drawn), drawnText(last, drawn)] as const;
  return { series, ends, marks, hasDollars: units.dollars };
}

function nothing(name: ChartName): string {
  const { chart } = texts();
  const message = name === "demand" ? chart.noBids : chart[MEASURES[name].nothing];
  return text(IMAGE.width / 2, IMAGE.height / 2, "middle", message);
}

function drawn({
  series: [xs, ys],
  ends,
  marks,
  hasDollars,
  begin,
  end,
  isPrice = false,
  isWhole = false,
}: Curve): string {
  const prices = marks.map(({ price }) => price);
  const [first, last] = [Math.min(begin ?? xs[0] ?? 0, ...prices), Math.max(end ?? xs.at(-1) ?? 0, ...prices)];
  const lines = isPrice ? linesAround(Math.min(...ys), Math.max(...ys)) : gridLines(Math.max(...ys), isWhole);
  const [bottom, top] = [lines[0] ?? 0, lines.at(-1) ?? 1];
  const texts = axisTexts(lines, hasDollars);
  const left = leftOf(texts);
  const x = (at: number) => left + ((PLOT.right - left) * (at - first)) / (last - first || 1);
  const y = (value: number) => PLOT.bottom - ((PLOT.bottom - PLOT.top) * (value - bottom)) / (top - bottom || 1);
  const grid = lines.map(
    (value, index) =>
      `<path class="grid" d="M${left} ${y(value)}H${PLOT.right}"/>${text(left - AXIS_GAP, y(value) + 4, "end", texts[index] ?? "")}`,
  );
  const path = xs
    .map((at, index) => {
      const [across, up] = [x(at).toFixed(1), y(ys[index] ?? 0).toFixed(1)];
      return `${index === 0 ? "M" : "L"}${across} ${up}`;
    })
    .join("");
  const below = `${path}V${PLOT.bottom}H${x(xs[0] ?? 0).toFixed(1)}Z`;
  const sold = marks.find(({ sells }) => sells);
  const area = isPrice ? "" : areaBelow(below, sold && x(sold.price));
  const labels = [text(left, PLOT.bottom + 18, "start", ends[0]), text(PLOT.right, PLOT.bottom + 18, "end", ends[1])];
  const at = marks.map(({ price, short }) => ({ x: x(price), width: short.length * CHARACTER_WIDTH }));
  const starts = labelStarts(at, AXIS_GAP, { left, right: PLOT.right });
  const marked = marks.map((mark, index) =>
    markedLine(mark, x(mark.price), index, (starts[index] ?? 0) < x(mark.price)),
  );
  return [...grid, area, `<path class="curve" d="${path}"/>`, ...labels, ...marked].join("");
}

/** Returns the area below a curve, darker from a place on: that of what is sold. @param from undefined for one colour */
function areaBelow(path: string, from: number | undefined): string {
  const all = `<path class="area" d="${path}"/>`;
  if (from === undefined) return all;
  const { right, bottom } = PLOT;
  const clip = `<clipPath id="sold"><path d="M${from.toFixed(1)} 0H${right}V${bottom}H${from.toFixed(1)}Z"/></clipPath>`;
  return `${clip}${all}<path class="area sold" clip-path="url(#sold)" d="${path}"/>`;
}

/** Returns where the curve begins: far enough for the numbers of the axis, which some languages write without a short form. */
function leftOf(axis: readonly string[]): number {
  const longest = Math.max(...axis.map(({ length }) => length));
  return Math.max(PLOT.left, Math.ceil(AXIS_GAP + longest * CHARACTER_WIDTH));
}

/** Returns a marked line, with its label at a height of its own. @param isBefore whether the label ends at the line */
function markedLine({ kind, short }: Mark, x: number, index: number, isBefore: boolean): string {
  const width = short.length * CHARACTER_WIDTH;
  // On the other side of its line rather than cut.
  const at = isBefore ? Math.max(x - AXIS_GAP, width) : Math.min(x + AXIS_GAP, IMAGE.width - width);
  const line = `<path class="${kind}" d="M${x.toFixed(1)} 8V${PLOT.bottom}"/>`;
  const baseline = 18 + index * LABEL_LINE;
  return line + text(at, baseline, isBefore ? "end" : "start", short, `label of-${kind}`);
}

/** Returns the values of grid lines: at even distances from 0 to the highest value or slightly more. */
function gridLines(highest: number, isWhole: boolean): number[] {
  const least = stepOf((highest || 1) / GRID_LINES);
  const step = isWhole ? Math.ceil(least) : least;
  return Array.from({ length: Math.ceil((highest || 1) / step) + 1 }, (_, index) => index * step);
}

/** Returns the values of grid lines around values that are far from 0. */
function linesAround(lowest: number, highest: number): number[] {
  const step = stepOf((highest - lowest || highest || 1) / GRID_LINES);
  const first = Math.max(0, Math.floor(lowest / step) - 1);
  return Array.from({ length: Math.ceil(highest / step) + 2 - first }, (_, index) => (first + index) * step);
}

function stepOf(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * (STEPS.find((each) => each * power >= least) ?? 1);
}

function text(x: number, y: number, anchor: string, content: string, className?: string): string {
  const name = className === undefined ? "" : raw(` class="${className}"`);
  return String(html`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${name}>${content}</text>`);
}
