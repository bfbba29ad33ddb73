import type { MockCall } from "./call.ts";
import type { JsonObject } from "./json.ts";
import { feedState, saleFacts } from "./sale-answers.ts";
import type { States } from "./states.ts";

/** The stream's part of a connection. */
export interface StreamTarget {
  write(text: string): void;
  end(): void;
}

/** One open stream of a sale's figures. */
export class LiveStream {
  readonly #call: MockCall;
  readonly #states: () => States;
  readonly #target: StreamTarget;
  #id = "";
  #count = 0;
  #sale = "";
  #state = "";
  #shown = "";

  /** @param states the states at any later time */
  constructor(call: MockCall, states: () => States, target: StreamTarget) {
    this.#call = call;
    this.#states = states;
    this.#target = target;
  }

  /** Sends the first events. @param lastId of the event that the client had last */
  open(lastId: string): void {
    this.#target.write("retry: 2000\n\n");
    this.#id = lastId;
    this.update();
    if (this.#states().get("stream") === "ends") this.#target.end();
  }

  /** Sends what has changed since the last event. */
  update(): void {
    const call = this.#now();
    if (this.#isSilent(call)) return;
    this.#sendIfNew(call);
    const isSame = this.#shown === chosenText(call.states);
    if (this.#id === call.figures.id || (isSame && call.states.get("stream") === "still")) return;
    const isNext = isSame && this.#count + 1 === call.figures.count;
    const data = isNext ? call.figures.difference(call.states, this.#id) : call.figures.body(call.states);
    this.#send(isNext ? "difference" : "body", data, call.figures.id);
    [this.#id, this.#count, this.#shown] = [call.figures.id, call.figures.count, chosenText(call.states)];
  }

  /** Says how current the figures are. */
  heartbeat(): void {
    const call = this.#now();
    if (!this.#isSilent(call)) this.#send("heartbeat", feedState(call));
  }

  /** Returns the call with the states of now. */
  #now(): MockCall {
    return { ...this.#call, states: this.#states() };
  }

  /** A silent stream sends its first events only. */
  #isSilent({ states }: MockCall): boolean {
    return states.get("stream") === "silent" && this.#sale !== "";
  }

  /** Sends the events that have no ID, where they say something new. */
  #sendIfNew(call: MockCall): void {
    const { AsOf: _, ...state } = feedState(call);
    if (JSON.stringify(state) !== this.#state) this.#send("state", feedState(call));
    const facts = saleFacts(call);
    if (JSON.stringify(facts) !== this.#sale) this.#send("sale", facts);
    [this.#state, this.#sale] = [JSON.stringify(state), JSON.stringify(facts)];
  }

  #send(event: string, data: JsonObject, id?: string): void {
    this.#target.write(`event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
  }
}

function chosenText(states: States): string {
  return JSON.stringify([...states]);
}
