import {
  create,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { ConnectError, Interceptor, UnaryResponse } from "@connectrpc/connect";

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
  /** The promise that each method waits for before it is called. */
  readonly delays = new Map<string, Promise<unknown>>();
  /** Answers in place of the service's, by method: for what it can't be brought to say, such as the answers of a later version. */
  readonly answers = new Map<string, MessageInitShape<UnaryResponse["method"]["output"]>>();

  /** Changes of the service's answers, by method. */
  readonly #edits = new Map<string, (answer: Message) => void>();

  /** Has each answer of a method changed on its way: for a few fields that the service can't be brought to fill so. */
  edit<Method extends DescMethodUnary>(
    { name }: Method,
    change: (answer: MessageShape<Method["output"]>) => void,
  ): void {
    this.#edits.set(name, change as (answer: Message) => void);
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
    for (const faults of [this.failures, this.delays, this.answers, this.#edits]) faults.clear();
  }

  readonly interceptor: Interceptor = (next) => async (request) => {
    const { name, output } = request.method;
    this.calls.push({ method: name, message: request.stream ? undefined : request.message });
    await this.delays.get(name);
    const failure = this.failure ?? this.failures.get(name);
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
