import type { Point } from "./strokes.ts";

/** Steps from one colour to another. */
const STEPS = 32;

type Rgb = readonly [red: number, green: number, blue: number];

/** A colour to draw with, and the one that it is drawn on; between them the edges of what is drawn are blended. */
export interface Ink {
  readonly on: Rgb;
  readonly colour: Rgb;
}

/** A picture of up to eight inks, as numbers of a palette: what a PNG of few colours holds. y is downwards. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  /** A number of the palette for each pixel, row by row. */
  readonly pixels: Uint8Array;
  readonly #inks: readonly Ink[];

  /** @param inks the picture begins with all pixels in the colour that the first one is drawn on */
  constructor(width: number, height: number, inks: readonly Ink[]) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height);
    this.#inks = inks;
  }

  /** The colours by their number: red, green, blue, red, … */
  get palette(): Uint8Array {
    const colours = this.#inks.flatMap(({ on, colour }) =>
      Array.from({ length: STEPS }, (_, step) => on.map((from, part) => blended(from, colour[part] ?? 0, step))),
    );
    return Uint8Array.from(colours.flat());
  }

  /** Draws lines with round ends and corners. @param radius half of their width */
  stroke(points: readonly Point[], radius: number, ink: number): void {
    for (const [index, to] of points.entries()) this.#line(points[index - 1] ?? to, to, radius, ink);
  }

  /** Fills a rectangle, whose corners are circles of `radius`. */
  fill([left, top]: Point, [width, height]: Point, radius: number, ink: number): void {
    const [right, bottom] = [left + width, top + height];
    const inside = (x: number, y: number): number => {
      const nearX = clamp(x, left + radius, right - radius);
      const nearY = clamp(y, top + radius, bottom - radius);
      return radius - Math.hypot(x - nearX, y - nearY);
    };
    this.#cover([left, top], [right, bottom], ink, inside);
  }

  #line([x1, y1]: Point, [x2, y2]: Point, radius: number, ink: number): void {
    const low: Point = [Math.min(x1, x2) - radius, Math.min(y1, y2) - radius];
    const high: Point = [Math.max(x1, x2) + radius, Math.max(y1, y2) + radius];
    const [dx, dy] = [x2 - x1, y2 - y1];
    const perLength = 1 / (dx * dx + dy * dy || 1);
    this.#cover(low, high, ink, (x, y) => {
      const along = clamp(((x - x1) * dx + (y - y1) * dy) * perLength, 0, 1);
      const offX = x - x1 - along * dx;
      const offY = y - y1 - along * dy;
      // Several times faster than `Math.hypot`, whose care for huge numbers isn't needed here.
      return radius - Math.sqrt(offX * offX + offY * offY);
    });
  }

  /**
   * Draws what lies between two corners.
   *
   * @param inside how far a point is within the shape; negative outside
   */
  #cover(low: Point, high: Point, ink: number, inside: (x: number, y: number) => number): void {
    const [left, top] = [Math.max(0, Math.floor(low[0] - 1)), Math.max(0, Math.floor(low[1] - 1))];
    const [right, bottom] = [Math.min(this.width, high[0] + 1), Math.min(this.height, high[1] + 1)];
    const first = ink * STEPS;
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const share = clamp(0.5 + inside(x + 0.5, y + 0.5), 0, 1);
        const number = first + Math.round(share * (STEPS - 1));
        const at = y * this.width + x;
        const before = this.pixels[at] ?? 0;
        // Where strokes in one colour meet, the stronger counts.
        if (number > first && (before < first || before >= first + STEPS || before < number)) this.pixels[at] = number;
      }
    }
  }
}

function blended(from: number, to: number, step: number): number {
  return Math.round(from + ((to - from) * step) / (STEPS - 1));
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
