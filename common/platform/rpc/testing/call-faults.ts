import {
  create,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor, type UnaryResponse } from "@connectrpc/connect";

/** An RPC as it went out. */
export interface RecordedCall {
  readonly method: string;
  readonly message: unknown;
}

/** A layer that a test puts between a caller and the service that it calls: it records every call, and spoils those that the test names. */
export class CallFaults {
  /** Every call with its request. */
  readonly calls: RecordedCall[] = [];
  /** Error with which every call fails while it is set. */
  failure: ConnectError | undefined;
  /** Errors by the method that fails with them. */
  readonly failures = new Map<string, ConnectError>();
  /** Call that fails, by its number since the reset, from 1. */
  failureOf: { readonly call: number; readonly error: ConnectError } | undefined;
  /** The promise that each method waits for before it is called. */
  readonly delays = new Map<string, Promise<unknown>>();
  /** Answers in place of the service's, by method: for what it can't be brought to say, such as the answers of a later version. */
  readonly answers = new Map<string, MessageInitShape<UnaryResponse["method"]["output"]>>();

  readonly #held = new Map<string, { left: number; readonly reach: () => void; readonly abort: () => void }>();
  /** Changes of the service's answers, by method. */
  readonly #edits = new Map<string, (answer: Message) => void>();

  /** Has each answer of a method changed on its way: for a few fields that the service can't be brought to fill so. */
  edit<Method extends DescMethodUnary>(
    { name }: Method,
    change: (answer: MessageShape<Method["output"]>) => void,
  ): void {
    this.#edits.set(name, change as (answer: Message) => void);
  }

  /**
   * Has a call wait until its caller gives it up.
   *
   * @param count the call's number, from 1
   * @returns `reached` resolves with the call, `aborted` when it was given up
   */
  hold(method: string, count: number): { readonly reached: Promise<void>; readonly aborted: Promise<void> } {
    const [reached, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.#held.set(method, { left: count, reach: reached.resolve, abort: aborted.resolve });
    return { reached: reached.promise, aborted: aborted.promise };
  }

  async #holdCall(method: string, signal: AbortSignal): Promise<void> {
    const held = this.#held.get(method);
    if (held === undefined || --held.left > 0) return;
    this.#held.delete(method);
    held.reach();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    held.abort();
    throw new ConnectError("given up", Code.Canceled);
  }

  /** Returns the requests of a method, the last one first. */
  asked(method: string): readonly unknown[] {
    return this.calls
      .filter((call) => call.method === method)
      .map(({ message }) => message)
      .toReversed();
  }

  /** Lets every call pass again, and forgets those that were made. */
  reset(): void {
    this.calls.length = 0;
    this.failure = undefined;
    this.failureOf = undefined;
    for (const faults of [this.failures, this.delays, this.answers, this.#edits, this.#held]) faults.clear();
  }

  readonly interceptor: Interceptor = (next) => async (request) => {
    const { name, output } = request.method;
    const number = this.calls.push({ method: name, message: request.stream ? undefined : request.message });
    await this.delays.get(name);
    await this.#holdCall(name, request.signal);
    const { failureOf } = this;
    const failure = failureOf?.call === number ? failureOf.error : (this.failure ?? this.failures.get(name));
    if (failure !== undefined) throw failure;
    const answer = this.answers.get(name);
    if (answer === undefined || request.stream) return this.#edited(await next(request));
    const { service, method } = request;
    return {
      stream: false,
      service,
      method,
      header: new Headers(),
      trailer: new Headers(),
      message: create(output, answer),
    };
  };

  #edited(response: Awaited<ReturnType<ReturnType<Interceptor>>>) {
    if (!response.stream) this.#edits.get(response.method.name)?.(response.message);
    return response;
  }
}
