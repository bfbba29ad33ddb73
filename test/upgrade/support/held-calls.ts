import { once } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { beginPost } from "../../support/processes/begun-post.ts";

/** Calls that can't be answered until they are released. */
export interface HeldCalls {
  readonly answers: readonly Promise<unknown>[];
  release(): void;
}

/** Pauses a process that the calls need, then starts the calls. */
export function holdByPausing(pid: number, begin: () => readonly Promise<unknown>[]): HeldCalls {
  process.kill(pid, "SIGSTOP");
  return { answers: begin(), release: () => process.kill(pid, "SIGCONT") };
}

/** Starts requests without their JSON bodies, which are sent on release. Resolves when the server waits for all bodies. */
export async function holdBodies(url: string, bodies: readonly unknown[]): Promise<HeldCalls> {
  const begun = await Promise.all(bodies.map(async (body) => ({ body, request: await beginPost(url) })));
  return {
    answers: begun.map(({ request }) => answerOf(request)),
    release: () => {
      for (const { request, body } of begun) request.end(JSON.stringify(body));
    },
  };
}

/** Waits for a response. @throws Error if it isn't a complete 200 */
async function answerOf(request: ClientRequest): Promise<void> {
  const answer: IncomingMessage = (await once(request, "response"))[0];
  const content = await text(answer);
  if (answer.statusCode !== 200 || !answer.complete) throw new Error(`${answer.statusCode} ${content}`);
}
