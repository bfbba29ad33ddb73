/** The facts about a failure besides its message. */
export interface TidemarkErrorOptions {
  /** 0 by default: there was no answer. */
  readonly status?: number;
  /** `{}` by default. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** The one error that this client throws, except for the reason of an abort signal, which is thrown as it is. */
export class TidemarkError extends Error {
  /**
   * The server's word for it, such as `not_found`, or OAuth's, such as `invalid_grant`. Without a readable answer: `unreachable`,
   * `deadline_exceeded` or `unknown`. For a callback that isn't an answer to this sign-in: `invalid_callback`.
   */
  readonly code: string;
  /** The server's details, such as `violations` of an `invalid_argument` or `FailureReason` of a refused permit. */
  readonly details: Readonly<Record<string, unknown>>;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Seconds to wait before another try; undefined where the server didn't say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, message: string, options: TidemarkErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "TidemarkError";
    this.code = code;
    this.details = options.details ?? {};
    this.status = options.status ?? 0;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Returns the error that an answer describes: `{code, message, details}`, or OAuth's `{error, error_description}`. */
export async function errorOf(response: Response): Promise<TidemarkError> {
  const body = (await response.json().catch(() => undefined)) ?? {};
  const { code = body.error ?? "unknown", message = body.error_description } = body;
  const seconds = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  return new TidemarkError(String(code), String(message ?? `The server answered ${response.status}.`), {
    status: response.status,
    details: typeof body.details === "object" && body.details !== null ? body.details : {},
    retryAfterSeconds: Number.isNaN(seconds) ? undefined : seconds,
  });
}
