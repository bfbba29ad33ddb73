import type { Random } from "../../../services/demo/bidders/random.ts";
import { SVM_FAULTS, type SvmFault, type SvmNode } from "./svm-node.ts";

/** Lies about lists, which only another list can disprove. */
const LIST_LIES: ReadonlySet<SvmFault | undefined> = new Set(["missing_account", "torn_list", "empty_list"]);
const FAULTS: readonly SvmFault[] = [...SVM_FAULTS, "hang"];

/** Makes a node sometimes lie, decided by a random generator, but never about two lists in a row. */
export class SvmLies {
  /** Share of answers that are lies: 0 to 1. */
  rate = 0;
  /** Number of lies by name. */
  readonly lieCounts = new Map<SvmFault, number>();
  readonly #random: Random;
  #hasLiedOfList = false;

  constructor(node: SvmNode, random: Random) {
    this.#random = random;
    node.retryAfterSeconds = 0;
    node.beforeAnswer = (method, params) => {
      node.reach(params);
      return this.#lieAbout(method);
    };
  }

  #lieAbout(method: string): SvmFault | undefined {
    const lie = this.#random.next() < this.rate ? this.#random.pick(FAULTS) : undefined;
    const isOfList = method === "getProgramAccounts" && LIST_LIES.has(lie);
    if (lie === undefined || (isOfList && this.#hasLiedOfList)) {
      if (method === "getProgramAccounts") this.#hasLiedOfList = false;
      return undefined;
    }
    if (method === "getProgramAccounts") this.#hasLiedOfList = isOfList;
    this.lieCounts.set(lie, (this.lieCounts.get(lie) ?? 0) + 1);
    return lie;
  }
}
