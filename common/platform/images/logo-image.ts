import { createHash } from "node:crypto";
import { invalidArgument } from "../errors/service-error.ts";
import { ImageBytes, ImageError, type ParsedImage } from "./image.ts";
import { JPEG_SIGNATURE, parseJpeg } from "./jpeg-image.ts";
import { PNG_SIGNATURE, parsePng } from "./png-image.ts";
import { parseWebp, WEBP_SIGNATURE } from "./webp-image.ts";

export type LogoShape = "square" | "wide";

export interface LogoImage {
  readonly mediaType: ParsedImage["mediaType"];
  /** The image without trailing bytes. */
  readonly bytes: Uint8Array;
}

/** A logo that was read from a database, where it had been checked before. */
export interface StoredLogo {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Returns the SHA-256 of a logo's image, hex: the name by which it is read. */
export function logoHash({ bytes }: Pick<LogoImage, "bytes">): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const MAX_BYTES = 204_800;
/** The maximum side in pixels. It bounds what a browser must decode to 4 million pixels. */
const MAX_SIDE = 2_048;
/** The sides of a square logo may differ by 1/50 of the longer one. */
const SQUARE_PARTS = 50;
const WIDE_RATIO = { least: 2, most: 6 };

const FORMATS = [
  { signature: PNG_SIGNATURE, parse: parsePng },
  { signature: JPEG_SIGNATURE, parse: parseJpeg },
  { signature: WEBP_SIGNATURE, parse: parseWebp },
];

/**
 * Checks a logo: a still PNG, JPEG or WebP image, recognised by its content, of at most 200 KB and 2,048 pixels a side,
 * which is square, or two to six times as wide as high.
 *
 * @throws ServiceError `invalid_argument` that names the field `image` and the rule
 */
export function checkLogoImage(bytes: Uint8Array, shape: LogoShape): LogoImage {
  if (bytes.length > MAX_BYTES) throw refusal("image.bytes", `must have at most ${MAX_BYTES} bytes`);
  const image = parseImage(bytes);
  const { width, height, mediaType, length } = image;
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) {
    throw refusal("image.size", `must have 1 to ${MAX_SIDE} pixels a side, not ${width} × ${height}`);
  }
  if (!SHAPES[shape].fits(image)) {
    throw refusal("image.shape", `must be ${SHAPES[shape].text}, not ${width} × ${height} pixels`);
  }
  return { mediaType, bytes: bytes.subarray(0, length) };
}

const SHAPES = {
  square: {
    text: "as wide as high",
    fits: ({ width, height }: ParsedImage) => SQUARE_PARTS * Math.abs(width - height) <= Math.max(width, height),
  },
  wide: {
    text: `${WIDE_RATIO.least} to ${WIDE_RATIO.most} times as wide as high`,
    fits: ({ width, height }: ParsedImage) => width >= WIDE_RATIO.least * height && width <= WIDE_RATIO.most * height,
  },
} as const;

function parseImage(bytes: Uint8Array): ParsedImage {
  const format = FORMATS.find(({ signature }) => beginsWith(bytes, signature));
  if (format === undefined) throw refusal("image.format", "must be a PNG, JPEG or WebP image");
  try {
    return format.parse(new ImageBytes(bytes));
  } catch (error) {
    if (error instanceof ImageError)
      throw refusal("image.content", `${error.message}; a whole, still image is expected`);
    throw error;
  }
}

function beginsWith(bytes: Uint8Array, signature: string): boolean {
  return [...signature].every((character, index) => bytes[index] === character.charCodeAt(0));
}

function refusal(rule: string, message: string) {
  return invalidArgument([{ field: "image", rule, message }]);
}
