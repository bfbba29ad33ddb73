import { Code, ConnectError } from "@connectrpc/connect";
import type { Task } from "../../faults/support/run-until-done.ts";

export const CALLERS = 8;

/** Makes the call of a caller with a number. @returns false if the process accepts no more calls */
export type Call = (number: number, caller: number) => Promise<boolean>;

/** Callers of one process without a balancer. Each calls again as soon as it has a response, until calls are refused. */
export class DirectCallers {
  answered = 0;
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Runs all callers. @throws what a call throws */
  readonly task: Task = async () => {
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => this.#repeat(caller)));
  };

  async #repeat(caller: number): Promise<void> {
    for (let number = 0; await this.#call(number, caller); number++) this.answered += 1;
  }
}

/** Waits for a call. @returns false if the process accepts no more calls @throws ConnectError for every other failure */
export async function isAnswered(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (ConnectError.from(error).code === Code.Unavailable) return false;
    throw error;
  }
}
