/** Thrown if figures can't be read now. It may pass. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}
