import type { Socket } from "node:net";

/** The methods of node:http's parser that its own `freeParser` calls. They aren't documented. */
interface Parser {
  unconsume(): void;
  remove(): void;
  close(): void;
}

/**
 * Frees the HTTP parser of a connection on which no further request is read: 6 of the 18 KiB of a stream. Whatever the client
 * still sends is ignored. Does nothing where the runtime has no such parser, as Deno.
 */
export function releaseParser(socket: Socket): void {
  // Not at once: the parser may be in the middle of the bytes of this request.
  setImmediate(() => {
    const holder = socket as { parser?: unknown };
    const { parser } = holder;
    if (!isParser(parser)) return;
    parser.unconsume();
    parser.remove();
    parser.close();
    holder.parser = null;
  });
}

function isParser(parser: unknown): parser is Parser {
  return ["unconsume", "remove", "close"].every((method) => typeof Object(parser)[method] === "function");
}
