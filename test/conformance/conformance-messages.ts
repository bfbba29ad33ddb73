import type { Message } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";

// The messages of connectrpc.conformance.v1 that our server reads. They come with the suite's Go module and are read at run
// time, so that no generated code of theirs is kept here.

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

/** The wanted outcome of a call with one answer. */
export interface AskedUnary extends AskedAnswer {
  readonly response:
    | { readonly case: "responseData"; readonly value: Uint8Array }
    | { readonly case: "error"; readonly value: AskedError }
    | { readonly case: undefined; readonly value?: undefined };
}

/** The wanted outcome of a call with a stream of answers. */
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

/** The suite's wishes for a server that it starts. */
export interface ServerRequest {
  readonly useTls: boolean;
  /** Size in bytes; 0 for no limit. */
  readonly messageReceiveLimit: number;
  readonly serverCreds?: { readonly cert: Uint8Array; readonly key: Uint8Array };
}
