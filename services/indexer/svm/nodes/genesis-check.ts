import { SourceFault } from "../../source/source-reader.ts";
import { checkAnswer } from "./check-answer.ts";

const REQUEST = { jsonrpc: "2.0", id: "genesis", method: "getGenesisHash", params: [] };
const HASH = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * Asks a node once whether it is of the right cluster, where the operator has said which that is. The same program, sale
 * account and sale may well be on a test cluster too.
 */
export class GenesisCheck {
  readonly #wanted: string | undefined;
  #isRight = false;

  /** @param wanted base58; nothing: any cluster is right. */
  constructor(wanted: string | undefined) {
    this.#wanted = wanted;
  }

  /**
   * @param ask the node.
   * @throws SourceFault where the node is of another cluster, or doesn't tell.
   */
  async pass(host: string, ask: (request: unknown) => Promise<object>): Promise<void> {
    if (this.#wanted === undefined || this.#isRight) return;
    const answer = await ask(REQUEST);
    checkAnswer(host, REQUEST, answer);
    const actual: unknown = Reflect.get(answer, "result");
    if (actual !== this.#wanted) throw ofAnother(host, actual, this.#wanted);
    this.#isRight = true;
  }
}

function ofAnother(host: string, actual: unknown, wanted: string): SourceFault {
  const told = typeof actual === "string" && HASH.test(actual) ? actual : "nothing readable";
  const advice = "set the URL of a node of the right cluster";
  return new SourceFault(`${host} says that its genesis hash is ${told}, not ${wanted}: ${advice}`, { remedy: "mend" });
}
