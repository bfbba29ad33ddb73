/** Thrown if a sale can't be compared with its chain, so that nothing is known about its figures. The message says why. */
export class CannotVerify extends Error {
  override readonly name = "CannotVerify";
}
