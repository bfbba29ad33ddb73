import type { Message } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";

// The messages of connectrpc.conformance.v1 that our server reads. They come with the suite's Go module and are read at run
// time, so no generated code of theirs stands here.

/** A header or trailer with its values. */
export interface HeaderField {
  readonly name: string;
  readonly value: readonly string[];
}

/** An error that a handler is to throw. The numbers of `code` are Connect's. */
export interface AskedError {
  readonly code: number;
  readonly message?: string;
  readonly details: readonly Any[];
}

interface AskedAnswer {
  readonly responseHeaders: readonly HeaderField[];
  readonly responseTrailers: readonly HeaderField[];
  readonly responseDelayMs: number;
}

/** What a call with one answer is to return. */
export interface AskedUnary extends AskedAnswer {
  readonly response:
    | { readonly case: "responseData"; readonly value: Uint8Array }
    | { readonly case: "error"; readonly value: AskedError }
    | { readonly case: undefined; readonly value?: undefined };
}

/** What a call with a stream of answers is to return. */
export interface AskedStream extends AskedAnswer {
  readonly responseData: readonly Uint8Array[];
  readonly error?: AskedError;
}

export interface UnaryRequest extends Message {
  readonly responseDefinition?: AskedUnary;
}

export interface StreamRequest extends Message {
  readonly responseDefinition?: AskedStream;
}

export interface BidiRequest extends StreamRequest {
  readonly fullDuplex: boolean;
}

/** What the suite asks of a server that it starts. */
export interface ServerRequest {
  readonly useTls: boolean;
  /** In bytes; 0 for no limit. */
  readonly messageReceiveLimit: number;
  readonly serverCreds?: { readonly cert: Uint8Array; readonly key: Uint8Array };
}
