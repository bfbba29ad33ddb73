import { inflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { GLYPHS } from "./glyphs.ts";
import { fitted, isDrawable, lettering, widthOf, wrapped } from "./lettering.ts";
import { SHARE_IMAGE, type ShareFacts, shareImage } from "./share-image.ts";

const FACTS: ShareFacts = {
  name: "Harbour",
  kind: "Token auction · Open",
  figures: [{ label: "Committed", text: "$360,346.34" }],
  asOf: "As of 2026-01-31 12:00 UTC",
};

/** The data of a chunk of a PNG. */
function chunkOf(png: Buffer, type: string): Buffer {
  const at = png.indexOf(type, 8, "latin1");
  return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
}

/** How many pixels of an image aren't background, between two heights. */
function drawnBetween(png: Buffer, top: number, bottom: number): number {
  const rows = inflateSync(chunkOf(png, "IDAT"));
  const row = SHARE_IMAGE.width + 1;
  return rows.subarray(top * row, bottom * row).filter((number) => number !== 0).length;
}

it("is a PNG of its size, of a few colours, with a row for each line and small enough for any site", async () => {
  const png = await shareImage(FACTS);
  const header = chunkOf(png, "IHDR");
  expect([header.readUInt32BE(0), header.readUInt32BE(4), ...header.subarray(8)]).toStrictEqual([
    1200, 630, 8, 3, 0, 0, 0,
  ]);
  expect(chunkOf(png, "PLTE").length).toBeLessThanOrEqual(3 * 256);
  expect(inflateSync(chunkOf(png, "IDAT"))).toHaveLength(1201 * 630);
  expect(png.length).toBeLessThan(100_000);
});

it("is the same for the same facts, and another one for others", async () => {
  const png = await shareImage(FACTS);
  expect((await shareImage(FACTS)).equals(png)).toBe(true);
  expect((await shareImage({ ...FACTS, asOf: "As of 2026-01-31 12:01 UTC" })).equals(png)).toBe(false);
});

it("leaves out a name and a currency whose characters it lacks, and nothing else", async () => {
  const [drawn, without] = [await shareImage(FACTS), await shareImage({ ...FACTS, name: "港" })];
  expect(drawnBetween(drawn, 200, 360)).toBeGreaterThan(1_000);
  expect(drawnBetween(without, 200, 360)).toBe(0);
  const inYen = (text: string) => shareImage({ ...FACTS, figures: [{ label: "Committed", text }] });
  expect((await inYen("1.00 円")).equals(await inYen("1.00"))).toBe(true);
});

it("fits the longest names and figures", async () => {
  const figures = ["Committed", "Clearing price per token"].map((label) => ({ label, text: `${"9".repeat(200)} W` }));
  const png = await shareImage({ ...FACTS, name: "W".repeat(500), figures });
  const rows = inflateSync(chunkOf(png, "IDAT"));
  const edges = Array.from({ length: 630 }, (_, y) => rows.subarray(y * 1201 + 1160, (y + 1) * 1201));
  expect(edges.every((edge) => edge.every((number) => number === 0))).toBe(true);
});

it.each([
  [
    "every letter that figures and texts of pages have",
    "$1,234.56 9.223 × 10¹⁸ 10⁻⁷ Aa–Zz (per token) “a” · b’s & 50%?!",
  ],
  ["names of German and other European sales", "Größe Übersee Çelik señor Ångström Škoda Hôtel naïve øre"],
])("can draw %s", (_, text) => {
  expect(isDrawable(text)).toBe(true);
});

it.each(["港", "Привет", "😀", "e\u0323", "\u0301"])("can't draw %s", (text) => {
  expect(isDrawable(text)).toBe(false);
  expect(lettering(text)).toStrictEqual([]);
});

it("draws digits of one width, and each letter within its own", () => {
  expect(new Set([..."0123456789"].map(widthOf)).size).toBe(1);
  for (const [letter, [width]] of Object.entries(GLYPHS)) {
    for (const [x, y] of lettering(letter).flat()) {
      expect(x, letter).toBeGreaterThanOrEqual(-0.1);
      expect(x, letter).toBeLessThanOrEqual((width + 0.7) / 7);
      expect(y, letter).toBeGreaterThanOrEqual(-2.4 / 7);
      expect(y, letter).toBeLessThanOrEqual(8 / 7);
    }
  }
});

it("shortens what doesn't fit, and breaks lines at spaces", () => {
  expect(fitted("Harbour", 100)).toBe("Harbour");
  expect(fitted("Harbour auction", widthOf("Harbour a…"))).toBe("Harbour a…");
  expect(wrapped("Harbour auction", widthOf("auction"), 2)).toStrictEqual(["Harbo…", "auction"]);
  expect(wrapped("One two three four", widthOf("One two"), 2)).toStrictEqual([
    "One two",
    expect.stringMatching(/^thr.*…$/),
  ]);
});
