import type { Random } from "../../services/demo/random.ts";
import { SVM_FAULTS, type SvmFault, type SvmNode } from "./svm-node.ts";

/** Lies that only another answer can show to be none. */
const LIST_LIES: ReadonlySet<SvmFault | undefined> = new Set(["missing_account", "torn_list", "empty_list"]);
const FAULTS: readonly SvmFault[] = [...SVM_FAULTS, "hang"];

/** Makes a node lie now and then, as a generator wants; lists never twice in a row. */
export class SvmLies {
  /** Of answers: 0 to 1. */
  rate = 0;
  /** How often each lie was told. */
  readonly told = new Map<SvmFault, number>();
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
    this.told.set(lie, (this.told.get(lie) ?? 0) + 1);
    return lie;
  }
}
