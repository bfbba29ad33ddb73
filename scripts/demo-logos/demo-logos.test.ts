import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { checkLogoImage } from "../../common/platform/images/logo-image.ts";
import { squareLogo, wideLogo } from "./draw.ts";
import { encodePng } from "./encode-png.ts";

describe.each([
  ["square", squareLogo],
  ["wide", wideLogo],
] as const)("services/demo/logos/%s.png", (shape, draw) => {
  const file = readFileSync(new URL(`../../services/demo/logos/${shape}.png`, import.meta.url));

  it("equals the drawing of draw-demo-logos.ts", async () => {
    const drawn = await encodePng(draw());
    // Compressed bytes may differ between versions of zlib, so the test compares pixels.
    expect(headerOf(file)).toEqual(headerOf(drawn));
    expect(pixelsOf(file).equals(pixelsOf(drawn))).toBe(true);
  });

  it("is a logo that the auth service accepts", () => {
    expect(checkLogoImage(file, shape)).toMatchObject({ mediaType: "image/png" });
  });
});

const HEADER_END = 33;

function headerOf(png: Buffer): Buffer {
  return png.subarray(0, HEADER_END);
}

/** The pixels of the single IDAT chunk, which follows the header. */
function pixelsOf(png: Buffer): Buffer {
  return inflateSync(png.subarray(HEADER_END + 8, HEADER_END + 8 + png.readUInt32BE(HEADER_END)));
}
