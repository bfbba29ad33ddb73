import { encodePng } from "../../../common/platform/images/encode-png.ts";
import { Canvas, type Ink } from "./canvas.ts";
import { fitted, isDrawable, lettering, widthOf, wrapped } from "./lettering.ts";
import type { Point } from "./strokes.ts";

export const SHARE_IMAGE = { width: 1200, height: 630 };

/** The content of a sale's image. */
export interface ShareFacts {
  readonly name: string;
  /** Kind and status, such as "Token auction · Open". */
  readonly kind: string;
  readonly figures: readonly ShareFigure[];
  /** The time that the figures are of, such as "As of 2026-01-31 12:00 UTC". */
  readonly asOf: string;
}

export interface ShareFigure {
  readonly label: string;
  readonly text: string;
}

const PAGE = [0x0c, 0x14, 0x17] as const;
const SQUARE = [0x0b, 0x62, 0x75] as const;
/** The colours of dark pages. */
const INKS = [
  { on: PAGE, colour: [0xe6, 0xef, 0xf1] },
  { on: PAGE, colour: [0xa3, 0xb5, 0xbb] },
  { on: PAGE, colour: [0x5e, 0xc5, 0xd8] },
  { on: PAGE, colour: SQUARE },
  { on: SQUARE, colour: [0xff, 0xff, 0xff] },
  { on: SQUARE, colour: [0x7f, 0xd8, 0xe6] },
] satisfies Ink[];
const [BRIGHT, QUIET, ACCENT, MARK, MARK_WAVE, MARK_LINE] = [0, 1, 2, 3, 4, 5];

const MARGIN = 80;
const WIDTH = SHARE_IMAGE.width - 2 * MARGIN;
const GUTTER = 56;
const EMBLEM = { left: MARGIN, top: 72, unit: 2.5 };
const NAME = { size: 52, top: 214, line: 84, maxLines: 2 };
const KIND_SIZE = 22;
const LABEL = { size: 20, baseline: 436 };
const FIGURE = { size: 56, baseline: 524 };
const AS_OF = { size: 18, baseline: 590 };
/** Half of a stroke's width, as a share of a capital's height. */
const BOLD = 0.082;
const REGULAR = 0.062;

/**
 * Returns the image that other sites show of a sale, as a PNG. A name with characters that can't be drawn is left out, and so is
 * such a currency: both are in the text that sites show beside the image.
 */
export function shareImage({ name, kind, figures, asOf }: ShareFacts): Promise<Buffer> {
  const canvas = new Canvas(SHARE_IMAGE.width, SHARE_IMAGE.height, INKS);
  drawEmblem(canvas);
  if (isDrawable(name)) drawName(canvas, name);
  write(canvas, kind, { x: MARGIN + 110, baseline: 124, size: KIND_SIZE, ink: QUIET, weight: REGULAR });
  const width = (WIDTH - GUTTER * (figures.length - 1)) / figures.length;
  for (const [index, figure] of figures.entries()) drawFigure(canvas, figure, MARGIN + index * (width + GUTTER), width);
  write(canvas, asOf, { x: MARGIN, baseline: AS_OF.baseline, size: AS_OF.size, ink: QUIET, weight: REGULAR });
  return encodePng(canvas);
}

function drawName(canvas: Canvas, name: string): void {
  const lines = wrapped(name.trim(), WIDTH / NAME.size - 2 * BOLD, NAME.maxLines);
  for (const [index, line] of lines.entries()) {
    const baseline = NAME.top + NAME.size + index * NAME.line;
    write(canvas, line, { x: MARGIN, baseline, size: NAME.size, ink: BRIGHT, weight: BOLD });
  }
}

/** Draws a figure that fits into its column, smaller where it is long. */
function drawFigure(canvas: Canvas, { label, text }: ShareFigure, x: number, width: number): void {
  canvas.fill([x, LABEL.baseline - 52], [width, 4], 2, ACCENT);
  write(canvas, fitted(label, width / LABEL.size), { ...LABEL, x, ink: QUIET, weight: REGULAR });
  const drawn = drawable(text);
  const size = Math.min(FIGURE.size, width / (widthOf(drawn) + 2 * BOLD));
  write(canvas, drawn, { x, baseline: FIGURE.baseline, size, ink: BRIGHT, weight: BOLD });
}

/** Returns a figure, without its currency where that can't be drawn. */
function drawable(text: string): string {
  return isDrawable(text) ? text : (text.split(" ")[0] ?? "");
}

interface Placement {
  readonly x: number;
  readonly baseline: number;
  /** Height of a capital. */
  readonly size: number;
  readonly ink: number;
  /** Half of a stroke's width, as a share of the size. */
  readonly weight: number;
}

function write(canvas: Canvas, text: string, { x, baseline, size, ink, weight }: Placement): void {
  for (const stroke of lettering(text)) {
    const points = stroke.map(([across, up]): Point => [x + (weight + across) * size, baseline - up * size]);
    canvas.stroke(points, weight * size, ink);
  }
}

/** Draws the emblem of Tidemark as in `icon.svg`, whose square has 32 units: two waves and a line. */
function drawEmblem(canvas: Canvas): void {
  const { left, top, unit } = EMBLEM;
  const line = (points: readonly Point[], ink: number) => {
    const placed = points.map(([x, y]): Point => [left + x * unit, top + y * unit]);
    canvas.stroke(placed, 1.3 * unit, ink);
  };
  canvas.fill([left, top], [32 * unit, 32 * unit], 8 * unit, MARK);
  line(wave(12), MARK_WAVE);
  line(wave(19), MARK_WAVE);
  line(
    [
      [8, 25.2],
      [24, 25.2],
    ],
    MARK_LINE,
  );
}

function wave(y: number): Point[] {
  return Array.from({ length: 41 }, (_, step) => [6 + step / 2, y - 2.25 * Math.sin((Math.PI * step) / 20)]);
}
