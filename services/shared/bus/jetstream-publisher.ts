import { createInbox, headers, type Msg, type NatsConnection, type Subscription } from "nats";

/** Of what the client calls `PubHeaders`. */
const ID_HEADER = "Nats-Msg-Id";
const STREAM_HEADER = "Nats-Expected-Stream";

export interface JetStreamPublisherOptions {
  readonly stream: string;
  /** Answers come to subjects below it. */
  readonly inboxPrefix: string;
  readonly timeoutMs: number;
}

export interface JetStreamMessage {
  readonly subject: string;
  readonly payload: Uint8Array;
  /** By which the stream tells a repeat. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A message that is on its way. */
interface Waiting {
  readonly subject: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Publishes to a stream of JetStream, over one connection. The client's own way makes an error and a generator function for each
 * message, of which V8 keeps the latter, with all that it can see, until a full collection: the pauses of those were what
 * readers waited for longest.
 */
export class JetStreamPublisher {
  readonly #connection: NatsConnection;
  readonly #options: JetStreamPublisherOptions;
  readonly #inbox: string;
  readonly #waiting = new Map<string, Waiting>();
  #answers: Subscription | undefined;
  #count = 0;

  constructor(connection: NatsConnection, options: JetStreamPublisherOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#inbox = createInbox(options.inboxPrefix);
  }

  /**
   * Done when the stream has kept the message.
   *
   * @throws Error where it refuses it, nobody takes it, or no answer comes in time
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

  /** Fails what is on its way, of one subject or of all: the server has refused to take it, or the connection is gone. */
  fail(reason: unknown, subject?: string): void {
    for (const [reply, waiting] of this.#waiting) {
      if (subject === undefined || waiting.subject === subject) this.#take(reply)?.reject(reason);
    }
  }

  /** The client ends a subscription that the server refuses; what was refused may be allowed by now. */
  #listen(): void {
    if (this.#answers?.isClosed() === false) return;
    this.#answers = this.#connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => {
        if (error === null) this.#hear(message);
        else this.fail(error);
      },
    });
  }

  #hear(message: Msg): void {
    const waiting = this.#take(message.subject);
    try {
      assertKept(message, this.#options.stream);
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
 * A publish acknowledgement (`io.nats.jetstream.api.v1.pub_ack_response`), or why there is none.
 *
 * @throws Error
 */
function assertKept(message: Msg, by: string): void {
  // Where no stream takes the subject the server itself answers, by a status among the headers.
  if (message.data.length === 0) throw new Error(`no stream takes it (status ${message.headers?.code})`);
  const { error, stream } = message.json<{ error?: { description?: string }; stream?: string }>();
  if (stream !== by || error !== undefined) throw new Error(error?.description ?? "it is no acknowledgement");
}
