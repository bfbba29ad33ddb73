import { Code, ConnectError } from "@connectrpc/connect";
import type { Task } from "../../faults/support/run-until-done.ts";

export const CALLERS = 8;

/** What a call that is its caller's `number` does. @returns false where the process takes no more */
export type Call = (number: number, caller: number) => Promise<boolean>;

/** Callers of one process, without a balancer, who call it again as soon as they have an answer, until it takes no more. */
export class DirectCallers {
  answered = 0;
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** @throws what a call throws */
  readonly task: Task = async () => {
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => this.#repeat(caller)));
  };

  async #repeat(caller: number): Promise<void> {
    for (let number = 0; await this.#call(number, caller); number++) this.answered += 1;
  }
}

/** @returns false where the process takes no calls any more. @throws ConnectError for every other failure */
export async function isAnswered(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (ConnectError.from(error).code === Code.Unavailable) return false;
    throw error;
  }
}
