/** A partial reading can't be vouched for; the contract has to be read as a whole. Its message says why. */
export class Doubt extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "Doubt";
  }
}
