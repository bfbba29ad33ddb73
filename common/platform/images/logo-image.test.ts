import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  jpegFrame,
  jpegImage,
  jpegOf,
  jpegScan,
  jpegSegment,
  pngChunk,
  pngHeader,
  pngImage,
  pngOf,
  webpChunk,
  webpExtended,
  webpLossless,
  webpLossy,
  webpOf,
} from "../../../services/auth/testing/images.ts";
import { checkLogoImage, type LogoShape } from "./logo-image.ts";

const IMAGES = [
  ["image/png", pngImage],
  ["image/jpeg", jpegImage],
  ["image/webp", (width: number, height: number) => webpOf(webpLossy(width, height))],
  ["image/webp", (width: number, height: number) => webpOf(webpLossless(width, height))],
  ["image/webp", (width: number, height: number) => webpOf(webpExtended(width, height), webpLossless(width, height))],
] as const;

const refusedBy = (rule: string) =>
  expect.objectContaining({
    code: "invalid_argument",
    violations: [expect.objectContaining({ field: "image", rule })],
  });

function expectRefusal(image: Uint8Array, rule: string, shape: LogoShape = "square"): void {
  expect(() => checkLogoImage(image, shape)).toThrow(refusedBy(rule));
}

describe.each(IMAGES)("a logo that is %s", (mediaType, make) => {
  it("is accepted unchanged", () => {
    const image = make(64, 64);
    expect(checkLogoImage(image, "square")).toEqual({ mediaType, bytes: image });
  });

  it("loses trailing bytes", () => {
    const image = make(64, 16);
    const polyglot = Buffer.concat([image, Buffer.from("<script>alert(1)</script>PK\x03\x04", "latin1")]);
    expect(Buffer.from(checkLogoImage(polyglot, "wide").bytes)).toEqual(image);
  });

  it("is refused if it is cut anywhere", () => {
    const image = make(64, 64);
    for (let length = 0; length < image.length; length += 1) {
      const cut = image.subarray(0, length);
      expect(() => checkLogoImage(cut, "square"), `${length} bytes`).toThrow(/image: /);
    }
  });

  it.each([
    [100, 100],
    [100, 98],
    [98, 100],
    [1, 1],
    [2_048, 2_048],
  ])("may be square with %i × %i pixels", (width, height) => {
    expect(checkLogoImage(make(width, height), "square").mediaType).toBe(mediaType);
  });

  it.each([
    [100, 97],
    [97, 100],
    [2, 1],
    [64, 32],
  ])("isn't square with %i × %i pixels", (width, height) => {
    expectRefusal(make(width, height), "image.shape");
  });

  it.each([
    [200, 100, true],
    [600, 100, true],
    [199, 100, false],
    [601, 100, false],
    [100, 300, false],
  ])("with %i × %i pixels is wide: %s", (width, height, isWide) => {
    const check = () => checkLogoImage(make(width, height), "wide");
    if (isWide) expect(check().mediaType).toBe(mediaType);
    else expect(check).toThrow(refusedBy("image.shape"));
  });

  it("is refused with more than 2,048 pixels a side", () => {
    expectRefusal(make(2_049, 2_049), "image.size");
    expectRefusal(make(4_096, 1_024), "image.size", "wide");
    expectRefusal(make(5_000, 4_000), "image.size");
  });
});

describe("a PNG", () => {
  const header = pngHeader(8, 8);
  const data = pngChunk("IDAT", Buffer.alloc(20));
  const end = pngChunk("IEND");

  it.each([
    ["with text and a colour space", [header, pngChunk("gAMA", Buffer.alloc(4)), data, pngChunk("tEXt"), end]],
    ["with data in several chunks", [header, data, data, data, end]],
    ["with a palette", [pngHeader(8, 8, { colourType: 3 }), pngChunk("PLTE", Buffer.alloc(6)), data, end]],
    ["that is interlaced", [pngHeader(8, 8, { tail: [0, 0, 1] }), data, end]],
    ["with colours of 16 bits", [pngHeader(8, 8, { colourType: 6, bitDepth: 16 }), data, end]],
  ])("%s is accepted", (_, chunks) => {
    expect(checkLogoImage(pngOf(...chunks), "square").mediaType).toBe("image/png");
  });

  it.each([
    ["animated by acTL", [header, pngChunk("acTL", Buffer.alloc(8)), data, end]],
    ["animated by fdAT", [header, data, pngChunk("fdAT", Buffer.alloc(8)), end]],
    ["a critical chunk that there isn't", [header, pngChunk("EVIL"), data, end]],
    ["a second header", [header, header, data, end]],
    ["no header first", [data, header, end]],
    ["no data", [header, end]],
    ["data in two places", [header, data, pngChunk("tEXt"), data, end]],
    ["data in its end", [header, data, pngChunk("IEND", Buffer.alloc(1))]],
    ["a wrong checksum", [header, pngChunk("IDAT", Buffer.alloc(4), 1), end]],
    ["a wrong checksum of its header", [pngChunk("IHDR", header.subarray(8, 21), 1), data, end]],
    ["a chunk type with a lower-case third letter", [header, pngChunk("tExt"), data, end]],
    ["a chunk type that isn't letters", [header, pngChunk("a\0\0b"), data, end]],
    ["no palette for palette colours", [pngHeader(8, 8, { colourType: 3 }), data, end]],
    ["two palettes", [header, ...Array(2).fill(pngChunk("PLTE", Buffer.alloc(3))), data, end]],
    ["a palette for grey", [header, pngChunk("PLTE", Buffer.alloc(3)), data, end]],
    ["a palette of odd length", [pngHeader(8, 8, { colourType: 3 }), pngChunk("PLTE", Buffer.alloc(4)), data, end]],
    ["a palette behind its data", [pngHeader(8, 8, { colourType: 2 }), data, pngChunk("PLTE", Buffer.alloc(3)), end]],
    ["an unknown colour type", [pngHeader(8, 8, { colourType: 5 }), data, end]],
    ["an unknown bit depth", [pngHeader(8, 8, { bitDepth: 3 }), data, end]],
    ["an unknown compression", [pngHeader(8, 8, { tail: [1, 0, 0] }), data, end]],
    ["an unknown filter", [pngHeader(8, 8, { tail: [0, 1, 0] }), data, end]],
    ["an unknown interlacing", [pngHeader(8, 8, { tail: [0, 0, 2] }), data, end]],
  ])("with %s is refused", (_, chunks) => {
    expectRefusal(pngOf(...chunks), "image.content");
  });

  it("with a chunk longer than the file is refused", () => {
    const image = pngOf(header, data, end);
    image.writeUInt32BE(0xffff_fff0, 8 + header.length);
    expectRefusal(image, "image.content");
  });

  it.each([
    [0, 8],
    [8, 0],
    [0xffff_ffff, 0xffff_ffff],
  ])("of %i × %i pixels is refused", (width, height) => {
    expectRefusal(pngOf(pngHeader(width, height), data, end), "image.size");
  });
});

describe("a JPEG", () => {
  const frame = jpegFrame(8, 8);
  const scan = jpegScan();

  it.each([
    ["progressive", [jpegFrame(8, 8, 0xc2), scan, jpegSegment(0xc4, [0]), scan]],
    ["extended sequential", [jpegFrame(8, 8, 0xc1), scan]],
    ["with fill bytes before a marker", [Buffer.from([0xff, 0xff]), frame, scan]],
    ["with a marker of the end inside of its metadata", [jpegSegment(0xe1, [0xff, 0xd9]), frame, scan]],
  ])("%s is accepted", (_, parts) => {
    const image = jpegOf(...parts);
    expect(checkLogoImage(image, "square").bytes).toEqual(image);
  });

  it.each([
    ["without loss", [jpegFrame(8, 8, 0xc3), scan]],
    ["coded arithmetically", [jpegFrame(8, 8, 0xc9), scan]],
    ["with two frames", [frame, frame, scan]],
    ["without a scan", [jpegSegment(0xe0, [0]), frame]],
    ["without a frame", [jpegSegment(0xe0, [0]), scan]],
    ["with something between its segments", [jpegSegment(0xe0, [0]), Buffer.from("x"), frame, scan]],
    ["with a segment of an unknown kind", [jpegSegment(0xf0, [0]), frame, scan]],
    ["with a second start", [jpegSegment(0xe0, [0]), Buffer.from([0xff, 0xd8]), frame, scan]],
    ["with a segment of length 0", [jpegSegment(0xe0, [0]), Buffer.from([0xff, 0xe1, 0, 0]), frame, scan]],
    ["with a frame header of another length", [jpegSegment(0xc0, [8, 0, 8, 0, 8, 3, 1]), scan]],
    ["with two components", [jpegSegment(0xc0, [8, 0, 8, 0, 8, 2, 1, 1, 0, 2, 1, 0]), scan]],
    ["with more scans than an encoder makes", [frame, ...Array<Uint8Array>(65).fill(scan)]],
  ])("%s is refused", (_, parts) => {
    expectRefusal(jpegOf(...parts), "image.content");
  });

  it("whose height follows its first scan is refused", () => {
    expectRefusal(jpegImage(8, 0), "image.size");
  });
});

describe("a WebP", () => {
  const lossless = webpLossless(8, 8);

  it("with colour profile, alpha and metadata is accepted", () => {
    const extra = ["ICCP", "ALPH"].map((type) => webpChunk(type, Buffer.alloc(3)));
    const metadata = ["EXIF", "XMP "].map((type) => webpChunk(type, Buffer.alloc(2)));
    const image = webpOf(webpExtended(8, 8), ...extra, webpLossy(8, 8), ...metadata);
    expect(checkLogoImage(image, "square")).toEqual({ mediaType: "image/webp", bytes: image });
  });

  it.each([
    ["animated by its flag", [webpExtended(8, 8, 0x02), lossless]],
    ["animated by its chunks", [webpExtended(8, 8), webpChunk("ANIM", Buffer.alloc(6)), lossless]],
    ["two images", [webpExtended(8, 8), lossless, lossless]],
    ["two images without an extended header", [lossless, lossless]],
    ["another size on its canvas", [webpExtended(9, 9), lossless]],
    ["no image", [webpExtended(8, 8)]],
    ["no chunk", []],
    ["an unknown chunk", [webpExtended(8, 8), lossless, webpChunk("EVIL", Buffer.alloc(2))]],
    ["an unknown chunk alone", [webpChunk("EVIL", Buffer.alloc(20))]],
    ["a frame that is no key frame", [webpChunk("VP8 ", Buffer.from([1, 0, 0, 0x9d, 1, 0x2a, 8, 0, 8, 0]))]],
    ["a wrong start code", [webpChunk("VP8 ", Buffer.from([0, 0, 0, 0x9d, 1, 0x2b, 8, 0, 8, 0]))]],
    ["a wrong signature", [webpChunk("VP8L", Buffer.from([0x2e, 7, 192, 1, 0, 0]))]],
    ["a newer version", [webpChunk("VP8L", Buffer.from([0x2f, 7, 192, 1, 0x20, 0]))]],
    ["an image that is too short", [webpChunk("VP8L", Buffer.from([0x2f])), Buffer.alloc(8)]],
    ["an extended header that is too short", [webpChunk("VP8X", Buffer.alloc(4)), lossless]],
  ])("with %s is refused", (_, chunks) => {
    expectRefusal(webpOf(...chunks), "image.content");
  });

  it("with another RIFF content is refused", () => {
    const wave = Buffer.from(webpOf(lossless));
    wave.write("WAVE", 8, "latin1");
    expectRefusal(wave, "image.content");
  });
});

it("a PNG of a whole gigapixel in its header is refused", () => {
  expectRefusal(pngOf(pngHeader(32_768, 32_768), pngChunk("IDAT"), pngChunk("IEND")), "image.size");
});

describe("anything else", () => {
  it.each([
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["HTML", Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["GIF", Buffer.from("GIF89a\x01\x00\x01\x00", "latin1")],
    ["nothing", new Uint8Array()],
    ["a PNG behind something", Buffer.concat([Buffer.from("\n"), pngImage(8, 8)])],
    ["a PNG behind mark-up", Buffer.concat([Buffer.from("<script>"), pngImage(64, 64)])],
  ])("%s is refused", (_, bytes) => {
    expectRefusal(bytes, "image.format");
  });

  it("more than 200 KB are refused, trailing bytes counted", () => {
    const image = Buffer.concat([pngImage(8, 8), Buffer.alloc(204_800)]);
    expectRefusal(image, "image.bytes");
  });

  it("never fails in another way, whatever is changed in an image", () => {
    const images = IMAGES.map(([, make]) => make(16, 16));
    const change = fc.record({ image: fc.nat(images.length - 1), at: fc.nat(200), byte: fc.nat(255) });
    fc.assert(
      fc.property(change, ({ image, at, byte }) => {
        const bytes = Buffer.from(images[image] ?? []);
        bytes[at % bytes.length] = byte;
        try {
          const { bytes: kept } = checkLogoImage(bytes, "square");
          expect(kept.length).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_argument" });
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
