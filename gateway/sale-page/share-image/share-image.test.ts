import { beforeAll, describe, expect, it } from "vitest";
import { SQUARE_LOGO } from "../../testing/sample-logos.ts";
import { Drawing, loadSkia, type Skia, type TextStyle } from "./drawing.ts";
import { SHARE_IMAGE, type ShareFacts, shareImage } from "./share-image.ts";

const FACTS: ShareFacts = {
  name: "Harbour",
  logo: undefined,
  kind: "Token auction · Open",
  figures: [{ label: "Committed", text: "$360,346.34" }],
  asOf: "As of 2026-01-31 12:00 UTC",
};
const STYLE: TextStyle = { size: 50, weight: "bold", colour: "#ffffff" };
const LOGO = { top: 60, bottom: 172, left: 80, right: 192 };
const NAME = { top: 184, bottom: 384, left: 0, right: SHARE_IMAGE.width };

/** Red squares, 8 pixels wide. */
const RED_LOGOS = {
  JPEG: "/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABQb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCKALXj/9k=",
  WebP: "UklGRhoCAABXRUJQVlA4WAoAAAAgAAAABwAABwAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZWUDggLAAAAJABAJ0BKggACAACwEwloAJ0ugADmAD+7kMf7mxzi3BX/20P/1of/rQ/6UAA",
};

let skia: Skia;
beforeAll(async () => {
  skia = await loadSkia();
}, 60_000);

/** The colours of an image: red, green, blue and opacity for each pixel. */
function pixelsOf(png: Uint8Array): Uint8Array {
  const image = skia.kit.MakeImageFromEncoded(png) ?? expect.fail("not an image");
  const { ColorType, AlphaType, ColorSpace } = skia.kit;
  const info = {
    ...SHARE_IMAGE,
    colorType: ColorType.RGBA_8888,
    alphaType: AlphaType.Unpremul,
    colorSpace: ColorSpace.SRGB,
  };
  const pixels = image.readPixels(0, 0, info) as Uint8Array;
  image.delete();
  return pixels;
}

/** How many pixels of a part of an image aren't background. */
function drawnIn(png: Uint8Array, { top, bottom, left, right }: typeof NAME): number {
  const pixels = new Uint32Array(pixelsOf(png).buffer);
  const row = (y: number) => pixels.subarray(y * SHARE_IMAGE.width + left, y * SHARE_IMAGE.width + right);
  const rows = Array.from({ length: bottom - top }, (_, index) => row(top + index));
  return rows.reduce((sum, each) => sum + each.filter((pixel) => pixel !== pixels[0]).length, 0);
}

/** Shapes texts, and returns what a test wants to know of them. */
function shaped<Result>(ask: (drawing: Drawing) => Result): Result {
  const drawing = new Drawing(skia, { width: 10, height: 10, background: "#000000" });
  try {
    return ask(drawing);
  } finally {
    drawing.end();
  }
}

const widthOf = (text: string) => shaped((drawing) => drawing.shape(text, STYLE).width);
const isWhole = (text: string) => shaped((drawing) => drawing.shape(text, STYLE).isWhole);

describe("a sale's image", () => {
  it("is a PNG of its size, small enough for any site", () => {
    const png = Buffer.from(shareImage(skia, FACTS));
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toStrictEqual([1200, 630]);
    expect(png.length).toBeLessThan(100_000);
  });

  it("is the same for the same facts, and another one for others", () => {
    const png = Buffer.from(shareImage(skia, FACTS));
    expect(png.equals(shareImage(skia, FACTS))).toBe(true);
    expect(png.equals(shareImage(skia, { ...FACTS, asOf: "As of 2026-01-31 12:01 UTC" }))).toBe(false);
  });

  it("leaves out a name and a currency whose characters no font has, and nothing else", () => {
    const [drawn, without] = [shareImage(skia, FACTS), shareImage(skia, { ...FACTS, name: "港 Harbour" })];
    expect(drawnIn(drawn, NAME)).toBeGreaterThan(1_000);
    expect(drawnIn(without, NAME)).toBe(0);
    expect(drawnIn(without, LOGO)).toBeGreaterThan(10_000);
    const inYen = (text: string) => shareImage(skia, { ...FACTS, figures: [{ label: "Committed", text }] });
    expect(inYen("1.00 円")).toStrictEqual(inYen("1.00"));
  });

  it("frees all memory that it took", () => {
    const taken = () => (skia.kit as unknown as { HEAPU8: Uint8Array }).HEAPU8.length;
    shareImage(skia, { ...FACTS, logo: SQUARE_LOGO.image });
    const before = taken();
    // Together the pixels of these would be more than the memory that Skia begins with.
    for (let made = 0; made < 50; made++) shareImage(skia, { ...FACTS, logo: SQUARE_LOGO.image });
    expect(taken()).toBe(before);
  });

  it.each([
    ["one word", "W".repeat(500)],
    ["words", "Harbour auction ".repeat(40)],
    ["Arabic", "ميناء الأمل ".repeat(40)],
  ])("fits the longest names (%s) and figures between logo, lines and margins", (_, name) => {
    const figures = ["Committed", "Clearing price per token"].map((label) => ({ label, text: `${"9".repeat(200)} W` }));
    const png = shareImage(skia, { ...FACTS, name, figures });
    const margins = { top: 0, bottom: SHARE_IMAGE.height };
    expect(drawnIn(png, { ...margins, left: 0, right: 78 })).toBe(0);
    expect(drawnIn(png, { ...margins, left: 1_122, right: SHARE_IMAGE.width })).toBe(0);
    expect(drawnIn(png, NAME)).toBeGreaterThan(10_000);
    expect(drawnIn(png, { ...NAME, top: LOGO.bottom, bottom: NAME.top - 4 })).toBe(0);
    expect(drawnIn(png, { ...NAME, top: NAME.bottom - 2, bottom: NAME.bottom + 2 })).toBe(0);
  });

  it("has the founder's logo, and initials where there is none or it can't be drawn", () => {
    const initials = shareImage(skia, FACTS);
    const drawn = shareImage(skia, { ...FACTS, logo: SQUARE_LOGO.image });
    expect(drawn).not.toStrictEqual(initials);
    // A logo changes nothing else.
    const below = { ...LOGO, top: LOGO.bottom, bottom: SHARE_IMAGE.height, left: 0, right: SHARE_IMAGE.width };
    expect(drawnIn(drawn, below)).toBe(drawnIn(initials, below));
    expect(shareImage(skia, { ...FACTS, logo: Buffer.from("no image") })).toStrictEqual(initials);
    expect(shareImage(skia, { ...FACTS, logo: Uint8Array.of() })).toStrictEqual(initials);
  });

  it.each(Object.entries(RED_LOGOS))("draws a logo that is a %s", (_, logo) => {
    const pixels = pixelsOf(shareImage(skia, { ...FACTS, logo: Buffer.from(logo, "base64") }));
    const middle = 4 * (116 * SHARE_IMAGE.width + 136);
    const [red = 0, green = 0, blue = 0] = pixels.subarray(middle);
    expect(red).toBeGreaterThan(240);
    expect(green + blue).toBeLessThan(30);
  });
});

describe("texts of images", () => {
  it.each([
    ["Latin", "Größe Übersee Çelik señor Ångström Škoda Hôtel Việt e\u0323"],
    ["Greek", "Λιμάνι της Ἀθήνας"],
    ["Cyrillic", "Гавань Київ Љубљана"],
    ["Arabic", "ميناء الأمل پارسی ۱۲۳"],
    ["Devanagari", "बंदरगाह की क्षत्रिय श्री हिन्दी १२३"],
    ["figures and sentences", "$1,234.56 9.223 × 10¹⁸ 10⁻⁷ Aa–Zz (per token) “a” · b’s & 50%?!…"],
  ])("can be %s", (_, text) => {
    expect(isWhole(text)).toBe(true);
    expect(widthOf(text)).toBeGreaterThan(400);
  });

  it.each(["港", "😀", "שלום", "ไทย", "A港"])("can't be %s", (text) => {
    expect(isWhole(text)).toBe(false);
  });

  it.each([
    ["Arabic letters", "ميناء"],
    ["Devanagari conjuncts", "क्षत्रिय"],
  ])("join %s", (_, word) => {
    const apart = Array.from(word).map(widthOf);
    expect(widthOf(word)).toBeLessThan(0.9 * apart.reduce((sum, width) => sum + width, 0));
  });

  it("run from right to left where a name does, with the Latin words and numbers in it from left to right", () => {
    const name = "ميناء (Port 25) الأمل";
    const at = (word: string) =>
      shaped((drawing) => {
        const { RectHeightStyle, RectWidthStyle } = skia.kit;
        const { paragraph } = drawing.shape(name, STYLE);
        const begin = name.indexOf(word);
        const range = [begin, begin + word.length] as const;
        const [box] = paragraph.getRectsForRange(...range, RectHeightStyle.Tight, RectWidthStyle.Tight);
        return box?.rect[0] ?? expect.fail(`no ${word}`);
      });
    expect(at("ميناء")).toBeGreaterThan(at("25"));
    expect(at("25")).toBeGreaterThan(at("Port"));
    expect(at("Port")).toBeGreaterThan(at("الأمل"));
  });

  it("have digits of one width", () => {
    expect(new Set(Array.from("0123456789", widthOf)).size).toBe(1);
  });
});
