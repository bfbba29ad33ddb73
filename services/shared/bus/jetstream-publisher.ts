import { createInbox, headers, type Msg, type NatsConnection, type Subscription } from "nats";

/** Two of the headers that the NATS client lists as `PubHeaders`. */
const ID_HEADER = "Nats-Msg-Id";
const STREAM_HEADER = "Nats-Expected-Stream";

export interface JetStreamPublisherOptions {
  readonly stream: string;
  /** The prefix of the subjects that acknowledgements are sent to. */
  readonly inboxPrefix: string;
  readonly timeoutMs: number;
}

export interface JetStreamMessage {
  readonly subject: string;
  readonly payload: Uint8Array;
  /** The stream drops a message whose ID it has seen within its duplicate window. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A message that isn't acknowledged yet. */
interface Waiting {
  readonly subject: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Publishes to a stream of JetStream over one connection, on the client's public `publish`. The client's own JetStream
 * publisher creates an error and a generator for each message. V8 keeps the generator, with everything that it refers to,
 * until a full collection, and the pauses of full collections were the longest waits of readers.
 */
export class JetStreamPublisher {
  readonly #connection: NatsConnection;
  readonly #options: JetStreamPublisherOptions;
  readonly #inbox: string;
  readonly #waiting = new Map<string, Waiting>();
  #acknowledgements: Subscription | undefined;
  #count = 0;

  constructor(connection: NatsConnection, options: JetStreamPublisherOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#inbox = createInbox(options.inboxPrefix);
  }

  /**
   * Resolves when the stream has stored the message.
   *
   * @throws Error if the stream refuses it, no stream takes its subject, or no acknowledgement comes in time
   */
  async publish({ subject, payload, id, headers: others }: JetStreamMessage): Promise<void> {
    this.#listen();
    const all = headers();
    all.set(ID_HEADER, id);
    all.set(STREAM_HEADER, this.#options.stream);
    for (const [name, value] of Object.entries(others)) all.set(name, value);
    const reply = `${this.#inbox}.${this.#count++}`;
    this.#connection.publish(subject, payload, { headers: all, reply });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.#take(reply)?.reject(new Error("no answer in time")), this.#options.timeoutMs);
    this.#waiting.set(reply, { subject, resolve, reject, timer });
    await promise;
  }

  /** Fails the messages that aren't acknowledged: all of them, or those of a subject that the server refuses. */
  fail(reason: unknown, subject?: string): void {
    for (const [reply, waiting] of this.#waiting) {
      if (subject === undefined || waiting.subject === subject) this.#take(reply)?.reject(reason);
    }
  }

  /** The client ends a subscription that the server refuses. It is made again, since it may be allowed by now. */
  #listen(): void {
    if (this.#acknowledgements?.isClosed() === false) return;
    this.#acknowledgements = this.#connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => {
        if (error === null) this.#settle(message);
        else this.fail(error);
      },
    });
  }

  #settle(message: Msg): void {
    const waiting = this.#take(message.subject);
    try {
      assertStored(message, this.#options.stream);
      waiting?.resolve();
    } catch (error) {
      waiting?.reject(error);
    }
  }

  #take(reply: string): Waiting | undefined {
    const waiting = this.#waiting.get(reply);
    this.#waiting.delete(reply);
    clearTimeout(waiting?.timer);
    return waiting;
  }
}

/**
 * Checks a publish acknowledgement (`io.nats.jetstream.api.v1.pub_ack_response`).
 *
 * @throws Error saying why the message isn't stored
 */
function assertStored(message: Msg, by: string): void {
  // If no stream takes the subject the server itself answers, with a status in the headers.
  if (message.data.length === 0) throw new Error(`no stream takes it (status ${message.headers?.code})`);
  const { error, stream } = message.json<{ error?: { description?: string }; stream?: string }>();
  if (stream !== by || error !== undefined) throw new Error(error?.description ?? "the answer is no acknowledgement");
}
