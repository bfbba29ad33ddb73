import { monogramOf } from "../browser/monogram.js";
import { type Colour, Drawing, type ShapedText, type Skia } from "./drawing.ts";

export const SHARE_IMAGE = { width: 1200, height: 630 };

/** The content of a sale's image. */
export interface ShareFacts {
  readonly name: string;
  /** The founder's logo: a PNG, JPEG or WebP. Without one there are initials. */
  readonly logo: Uint8Array | undefined;
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

/** The colours of dark pages. */
const PAGE: Colour = "#0c1417";
const BRIGHT: Colour = "#e6eff1";
const QUIET: Colour = "#a3b5bb";
const ACCENT: Colour = "#5ec5d8";
/** Behind a logo that is transparent, as on light pages. */
const PLATE: Colour = "#ffffff";

const MARGIN = 80;
const WIDTH = SHARE_IMAGE.width - 2 * MARGIN;
const GUTTER = 56;
const LOGO = { x: MARGIN, y: 60, width: 112, height: 112 };
const LOGO_RADIUS = 24;
const KIND = { x: MARGIN + LOGO.width + 32, baseline: 127, size: 32 };
/** Space between logo and figures, and the sizes in which a name fills it. */
const NAME = { top: 184, height: 200, large: { size: 72, maxLines: 2 }, small: { size: 46, maxLines: 3 } };
const LABEL = { baseline: 440, size: 28 };
const FIGURE = { baseline: 528, size: 76 };
const AS_OF = { baseline: 590, size: 24 };
const EMBLEM = { x: SHARE_IMAGE.width - MARGIN - 48, y: 553, scale: 1.5 };

/**
 * Returns the image that other sites show of a sale, as a PNG. A name with characters that no font has is left out, and so is
 * such a currency: both are in the text that sites show beside the image.
 */
export function shareImage(skia: Skia, { name, logo, kind, figures, asOf }: ShareFacts): Uint8Array<ArrayBuffer> {
  const drawing = new Drawing(skia, { ...SHARE_IMAGE, background: PAGE });
  try {
    drawLogo(drawing, logo, name);
    const space = WIDTH + MARGIN - KIND.x;
    drawing.write(drawing.shape(kind, { size: KIND.size, weight: "regular", colour: QUIET, width: space }), KIND);
    drawName(drawing, name.trim());
    const width = (WIDTH - GUTTER * (figures.length - 1)) / figures.length;
    for (const [index, figure] of figures.entries()) {
      drawFigure(drawing, figure, MARGIN + index * (width + GUTTER), width);
    }
    const time = drawing.shape(asOf, { size: AS_OF.size, weight: "regular", colour: QUIET });
    drawing.write(time, { x: MARGIN, baseline: AS_OF.baseline });
    drawEmblem(drawing);
    return drawing.png();
  } finally {
    drawing.end();
  }
}

function drawLogo(drawing: Drawing, logo: Uint8Array | undefined, name: string): void {
  drawing.fill(LOGO, LOGO_RADIUS, PLATE);
  if (logo === undefined || !drawing.image(logo, LOGO, LOGO_RADIUS)) drawMonogram(drawing, name);
}

/** Draws the initials of a name on its colour, or the colour alone where no font has them. */
function drawMonogram(drawing: Drawing, name: string): void {
  const { letters, accent } = monogramOf(name);
  drawing.fill(LOGO, LOGO_RADIUS, accent as Colour);
  const shaped = drawing.shape(letters, { size: 48, weight: "bold", colour: PLATE });
  if (!shaped.isWhole) return;
  const x = LOGO.x + (LOGO.width - shaped.width) / 2;
  drawing.write(shaped, { x, baseline: LOGO.y + LOGO.height / 2 + 17 });
}

/** Draws a name in the middle of its space; nothing where the fonts lack a character of it. */
function drawName(drawing: Drawing, name: string): void {
  const shaped = shapedName(drawing, name);
  if (!shaped.isWhole) return;
  const top = NAME.top + (NAME.height - shaped.height) / 2;
  drawing.write(shaped, { x: MARGIN, baseline: top + shaped.baseline });
}

function shapedName(drawing: Drawing, name: string): ShapedText {
  const style = { weight: "bold", colour: BRIGHT, width: WIDTH } as const;
  const large = drawing.shape(name, { ...style, ...NAME.large });
  return large.isCut ? drawing.shape(name, { ...style, ...NAME.small }) : large;
}

/** Draws a figure that fits into its column, smaller where it is long. */
function drawFigure(drawing: Drawing, { label, text }: ShareFigure, x: number, width: number): void {
  drawing.fill({ x, y: LABEL.baseline - 54, width, height: 4 }, 2, ACCENT);
  const named = drawing.shape(label, { size: LABEL.size, weight: "regular", colour: QUIET, width });
  drawing.write(named, { x, baseline: LABEL.baseline });
  const style = { size: FIGURE.size, weight: "bold", colour: BRIGHT } as const;
  const whole = drawing.shape(text, style);
  const written = whole.isWhole ? text : (text.split(" ")[0] ?? "");
  const { width: needed } = drawing.shape(written, style);
  const size = FIGURE.size * Math.min(1, width / needed);
  drawing.write(drawing.shape(written, { ...style, size }), { x, baseline: FIGURE.baseline });
}

/** Draws the emblem of Tidemark as in `icon.svg`, whose square has 32 units: two waves and a line. */
function drawEmblem(drawing: Drawing): void {
  const { x, y, scale } = EMBLEM;
  const side = 32 * scale;
  drawing.fill({ x, y, width: side, height: side }, 8 * scale, "#0b6275");
  const waves = "M6 12c3.3-3 6.7-3 10 0s6.7 3 10 0M6 19c3.3-3 6.7-3 10 0s6.7 3 10 0";
  drawing.stroke(waves, { ...EMBLEM, width: 2.6, colour: "#ffffff" });
  drawing.stroke("M8 25.2h16", { ...EMBLEM, width: 2.6, colour: "#7fd8e6" });
}
