/** Thrown if a sale changed between two reads of it, so that they must be repeated. */
export class MovedOn extends Error {
  override readonly name = "MovedOn";

  constructor() {
    super("the sale changed while its figures were read");
  }
}
