import { type Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

/** `refused` and `raced` calls were never begun: any client may make them again elsewhere. */
export type CallEnd =
  | "answered"
  | "refused"
  /** The connection, which had answered before, ended while the request was on its way. */
  | "raced";

/** Sends JSON. @throws Error for an answer that is no 200 or isn't whole */
export function postJson(url: string, body: unknown, agent: Agent): Promise<CallEnd> {
  const content = JSON.stringify(body);
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(content) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: "POST", agent, headers });
    request.once("response", (answer) => wholeOf(answer).then(() => resolve("answered"), reject));
    request.once("error", (error) => {
      if (request.reusedSocket) resolve("raced");
      else if (isRefusal(error)) resolve("refused");
      else reject(error);
    });
    request.end(content);
  });
}

async function wholeOf(answer: IncomingMessage): Promise<void> {
  const content = await text(answer);
  if (answer.statusCode !== 200 || !answer.complete) throw new Error(`${answer.statusCode} ${content}`);
}

/** A connection in the queue of a port that closes is reset. */
function isRefusal(error: Error): boolean {
  return "code" in error && (error.code === "ECONNREFUSED" || error.code === "ECONNRESET");
}
