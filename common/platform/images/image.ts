/** The size of an image in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The facts about an image that its parser finds. */
export interface ParsedImage extends ImageSize {
  readonly mediaType: "image/png" | "image/jpeg" | "image/webp";
  /** The number of bytes up to the end marker. Bytes behind it don't belong to the image. */
  readonly length: number;
}

/** Thrown for bytes that aren't an acceptable image. The message continues "the image". */
export class ImageError extends Error {
  override readonly name = "ImageError";
}

/** A view of an image's bytes. Reads beyond the end throw an `ImageError`. */
export class ImageBytes {
  readonly length: number;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.length = bytes.length;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  uint8(at: number): number {
    this.#require(at, 1);
    return this.#view.getUint8(at);
  }

  /** Big-endian. */
  uint16(at: number): number {
    this.#require(at, 2);
    return this.#view.getUint16(at);
  }

  /** Big-endian. */
  uint32(at: number): number {
    this.#require(at, 4);
    return this.#view.getUint32(at);
  }

  uint16LittleEndian(at: number): number {
    this.#require(at, 2);
    return this.#view.getUint16(at, true);
  }

  uint24LittleEndian(at: number): number {
    return this.uint8(at) | (this.uint16LittleEndian(at + 1) << 8);
  }

  uint32LittleEndian(at: number): number {
    this.#require(at, 4);
    return this.#view.getUint32(at, true);
  }

  /** Reads bytes as Latin-1 text. */
  text(at: number, length: number): string {
    this.#require(at, length);
    return Array.from({ length }, (_, index) => String.fromCharCode(this.#view.getUint8(at + index))).join("");
  }

  /** @throws ImageError where fewer than `length` bytes follow. */
  slice(at: number, length: number): Uint8Array {
    this.#require(at, length);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, length);
  }

  #require(at: number, length: number): void {
    if (at + length > this.length) throw new ImageError("ends too early");
  }
}
