import {
  Code,
  ConnectError,
  type ContextValues,
  createContextValues,
  type HandlerContext,
  type MethodImplSpec,
} from "@connectrpc/connect";

/** A unary method and its implementation. */
export type UnarySpec = Extract<MethodImplSpec, { readonly kind: "unary" }>;

export interface CallContextInit {
  readonly method: UnarySpec["method"];
  readonly url: string;
  readonly requestHeader: Headers;
  /** Milliseconds from now until the call's deadline. */
  readonly timeoutMs: number;
}

/** The context of a plain unary call. */
export class CallContext implements HandlerContext {
  readonly protocolName = "connect";
  readonly requestMethod = "POST";
  readonly service: HandlerContext["service"];
  readonly method: UnarySpec["method"];
  readonly url: string;
  readonly requestHeader: Headers;
  readonly values: ContextValues = createContextValues();
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #deadlineAtMs: number;
  #timer: NodeJS.Timeout | undefined;
  #responseHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;

  constructor({ method, url, requestHeader, timeoutMs }: CallContextInit) {
    this.service = method.parent;
    this.method = method;
    this.url = url;
    this.requestHeader = requestHeader;
    this.signal = this.#controller.signal;
    this.#deadlineAtMs = Date.now() + timeoutMs;
    const expire = () => this.abort(new ConnectError("the operation timed out", Code.DeadlineExceeded));
    if (timeoutMs > 0) this.#timer = setTimeout(expire, timeoutMs);
    else expire();
  }

  readonly timeoutMs = (): number => this.#deadlineAtMs - Date.now();

  get responseHeader(): Headers {
    this.#responseHeader ??= new Headers();
    return this.#responseHeader;
  }

  get responseTrailer(): Headers {
    this.#responseTrailer ??= new Headers();
    return this.#responseTrailer;
  }

  /** Whether the answer has headers or trailers of its own. Few have, and to make them takes time. */
  get hasMetadata(): boolean {
    return this.#responseHeader !== undefined || this.#responseTrailer !== undefined;
  }

  /** Ends the call's signal. The first reason stays. */
  abort(reason: unknown): void {
    clearTimeout(this.#timer);
    this.#controller.abort(reason);
  }
}
