import { SourceFault } from "../base/source-fault.ts";
import { checkAnswer } from "./check-answer.ts";

/** The method that is asked. */
export const GENESIS_METHOD = "getGenesisHash";
const REQUEST = { jsonrpc: "2.0", id: "genesis", method: GENESIS_METHOD, params: [] };
const HASH = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * Checks that a node belongs to the configured cluster, if one is configured. The same program, sale account and sale may exist on a
 * test cluster too.
 */
export class GenesisCheck {
  readonly #expected: string | undefined;
  #isRight = false;

  /** @param expected the genesis hash in base58; undefined accepts any cluster. */
  constructor(expected: string | undefined) {
    this.#expected = expected;
  }

  /**
   * Asks the node, unless it was right before.
   *
   * @param ask sends a request to the node.
   * @throws SourceFault if the node belongs to another cluster, or doesn't answer.
   */
  async pass(host: string, ask: (request: unknown) => Promise<object>): Promise<void> {
    if (!this.#isRight) await this.again(host, ask);
  }

  /**
   * Asks the node, even if it was right before: another cluster may be behind its URL now. A question that isn't answered takes nothing
   * back. Errors are those of `pass`.
   */
  async again(host: string, ask: (request: unknown) => Promise<object>): Promise<void> {
    if (this.#expected === undefined) return;
    const answer = await ask(REQUEST);
    checkAnswer(host, REQUEST, answer);
    const actual: unknown = Reflect.get(answer, "result");
    this.#isRight = actual === this.#expected;
    if (!this.#isRight) throw clusterFault(host, actual, this.#expected);
  }
}

function clusterFault(host: string, actual: unknown, expected: string): SourceFault {
  const shown = typeof actual === "string" && HASH.test(actual) ? actual : "nothing readable";
  const advice = "set the URL of a node of the right cluster";
  return new SourceFault(`${host} says that its genesis hash is ${shown}, not ${expected}: ${advice}`, {
    remedy: "mend",
  });
}
