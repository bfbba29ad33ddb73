import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { CanvasKit, Image, Paragraph, Surface, TypefaceFontProvider } from "canvaskit-wasm";
import { FAMILIES, FONT_FILES, SKIA_FILE } from "./drawing-files.ts";

/** The package's function: it is CommonJS, which its types don't say, and takes more options than they know. */
type InitSkia = (options: { readonly wasmBinary: ArrayBuffer }) => Promise<CanvasKit>;

/** Skia with the fonts of images, as WebAssembly. What it makes is freed by `Drawing.end` only. */
export interface Skia {
  readonly kit: CanvasKit;
  readonly fonts: TypefaceFontProvider;
}

/** Loads Skia and the fonts: some 100 ms of work, and 100 MB of memory. */
export async function loadSkia(): Promise<Skia> {
  const packaged = createRequire(import.meta.url);
  const read = async (file: string) => new Uint8Array(await readFile(packaged.resolve(file))).buffer;
  const { default: skiaModule } = await import("canvaskit-wasm");
  const initSkia = skiaModule as unknown as InitSkia;
  const kit = await initSkia({ wasmBinary: await read(SKIA_FILE) });
  const fonts = kit.TypefaceFontProvider.Make();
  for (const { family, file } of FONT_FILES) fonts.registerFont(await read(file), family);
  return { kit, fonts };
}

/** Red, green and blue, as `#0c1417`. */
export type Colour = `#${string}`;

export interface TextStyle {
  /** In pixels. */
  readonly size: number;
  readonly weight: "regular" | "bold";
  readonly colour: Colour;
  /** Widest line in pixels, from which on a text is wrapped; without one there is one line. */
  readonly width?: number;
  /** Lines at most, the last of which is shortened; 1 by default. */
  readonly maxLines?: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A text that has been shaped: letters joined, reordered and in lines. */
export interface ShapedText {
  /** Widest line, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Distance of the first line's baseline from the top. */
  readonly baseline: number;
  /** Whether lines were left out. */
  readonly isCut: boolean;
  /** Whether the fonts have every character. */
  readonly isWhole: boolean;
  readonly paragraph: Paragraph;
}

/** The scripts of our fonts that are written from right to left. */
const RIGHT_TO_LEFT = /^[^\p{L}]*\p{Script=Arabic}/u;
/** Height of a line as a share of the font's size, in every script. */
const LINE_HEIGHT = 1.3;
/** Wider than any text. */
const UNBOUNDED = 1_000_000;
const PERCENT = 100;

/** A picture being drawn. y is downwards. */
export class Drawing {
  readonly #skia: Skia;
  readonly #surface: Surface;
  readonly #owned: { delete(): void }[] = [];

  constructor(skia: Skia, { width, height, background }: { width: number; height: number; background: Colour }) {
    this.#skia = skia;
    const surface = skia.kit.MakeSurface(width, height);
    if (surface === null) throw new Error("Skia has no memory for an image");
    this.#surface = surface;
    surface.getCanvas().clear(this.#colour(background));
  }

  shape(text: string, { size, weight, colour, width = UNBOUNDED, maxLines = 1 }: TextStyle): ShapedText {
    const { kit, fonts } = this.#skia;
    const style = new kit.ParagraphStyle({
      textStyle: {
        color: this.#colour(colour),
        fontFamilies: [...FAMILIES],
        fontSize: size,
        heightMultiplier: LINE_HEIGHT,
        fontStyle: { weight: weight === "bold" ? kit.FontWeight.Bold : kit.FontWeight.Normal },
      },
      textAlign: kit.TextAlign.Left,
      textDirection: RIGHT_TO_LEFT.test(text) ? kit.TextDirection.RTL : kit.TextDirection.LTR,
      maxLines,
      ellipsis: "…",
    });
    const builder = this.#own(kit.ParagraphBuilder.MakeFromFontProvider(style, fonts));
    builder.addText(text);
    const paragraph = this.#own(builder.build());
    paragraph.layout(width);
    return {
      width: paragraph.getLongestLine(),
      height: paragraph.getHeight(),
      baseline: paragraph.getAlphabeticBaseline(),
      isCut: paragraph.didExceedMaxLines(),
      isWhole: paragraph.unresolvedCodepoints().length === 0,
      paragraph,
    };
  }

  /** Writes a text whose first line stands on `baseline`. */
  write({ paragraph, baseline: ascent }: ShapedText, { x, baseline }: { x: number; baseline: number }): void {
    this.#surface.getCanvas().drawParagraph(paragraph, x, baseline - ascent);
  }

  /** Fills a rectangle, whose corners are circles of `radius`. */
  fill(box: Box, radius: number, colour: Colour): void {
    this.#surface.getCanvas().drawRRect(this.#rounded(box, radius), this.#paint(colour));
  }

  /** Draws the outline of an SVG path, with round ends, enlarged `scale` times and moved. */
  stroke(path: string, { x, y, scale, width, colour }: Stroke): void {
    const { kit } = this.#skia;
    const shape = kit.Path.MakeFromSVGString(path);
    if (shape === null) throw new TypeError(`not a path: ${path}`);
    this.#own(shape);
    const paint = this.#paint(colour);
    paint.setStyle(kit.PaintStyle.Stroke);
    paint.setStrokeCap(kit.StrokeCap.Round);
    paint.setStrokeWidth(width);
    const canvas = this.#surface.getCanvas();
    canvas.save();
    canvas.translate(x, y);
    canvas.scale(scale, scale);
    canvas.drawPath(shape, paint);
    canvas.restore();
  }

  /**
   * Draws the middle of an image (PNG, JPEG or WebP), so that it fills a box with rounded corners.
   *
   * @returns whether the bytes are an image that can be drawn
   */
  image(bytes: Uint8Array, box: Box, radius: number): boolean {
    const image = this.#decoded(bytes);
    if (image === undefined) return false;
    const { kit } = this.#skia;
    const side = Math.min(image.width() / box.width, image.height() / box.height);
    const [width, height] = [box.width * side, box.height * side];
    const source = kit.XYWHRect((image.width() - width) / 2, (image.height() - height) / 2, width, height);
    const target = kit.XYWHRect(box.x, box.y, box.width, box.height);
    const canvas = this.#surface.getCanvas();
    canvas.save();
    canvas.clipRRect(this.#rounded(box, radius), kit.ClipOp.Intersect, true);
    canvas.drawImageRectOptions(image, source, target, kit.FilterMode.Linear, kit.MipmapMode.Linear);
    canvas.restore();
    return true;
  }

  /** Returns the picture as a PNG. */
  png(): Uint8Array<ArrayBuffer> {
    this.#surface.flush();
    const image = this.#own(this.#surface.makeImageSnapshot());
    const bytes = image.encodeToBytes(this.#skia.kit.ImageFormat.PNG, PERCENT);
    if (bytes === null) throw new Error("Skia has no memory for a PNG");
    return new Uint8Array(bytes);
  }

  /** Frees everything that was made for the picture. */
  end(): void {
    for (const object of this.#owned.reverse()) object.delete();
    this.#owned.length = 0;
    // Frees its pixels, too, which `delete` keeps.
    this.#surface.dispose();
  }

  /** Returns an image with smaller versions of it, so that it can be drawn small; undefined for bytes that aren't one. */
  #decoded(bytes: Uint8Array): Image | undefined {
    const image = this.#skia.kit.MakeImageFromEncoded(bytes);
    if (image === null || image.width() === 0 || image.height() === 0) return undefined;
    return this.#own(this.#own(image).makeCopyWithDefaultMipmaps());
  }

  #rounded({ x, y, width, height }: Box, radius: number) {
    const { kit } = this.#skia;
    return kit.RRectXY(kit.XYWHRect(x, y, width, height), radius, radius);
  }

  #paint(colour: Colour) {
    const paint = this.#own(new this.#skia.kit.Paint());
    paint.setAntiAlias(true);
    paint.setColor(this.#colour(colour));
    return paint;
  }

  #colour(colour: Colour) {
    return this.#skia.kit.parseColorString(colour);
  }

  #own<Owned extends { delete(): void }>(object: Owned): Owned {
    this.#owned.push(object);
    return object;
  }
}

export interface Stroke {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  /** In units of the path. */
  readonly width: number;
  readonly colour: Colour;
}
