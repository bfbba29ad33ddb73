import { type Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

/** The end of a call. `refused` and `raced` calls were never started: any client may repeat them elsewhere. */
export type CallEnd =
  | "answered"
  | "refused"
  /** A reused connection was closed while the request was being sent. */
  | "raced";

/** Sends JSON. @throws Error if the response isn't a complete 200 */
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

/** Whether a connection was refused. A connection that waits in the queue of a closing port is reset. */
function isRefusal(error: Error): boolean {
  return "code" in error && (error.code === "ECONNREFUSED" || error.code === "ECONNRESET");
}
