import { once } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { beginPost } from "../../support/begun-post.ts";

/** Calls that can't be answered before they are released. */
export interface HeldCalls {
  readonly answers: readonly Promise<unknown>[];
  release(): void;
}

/** Pauses the process that calls need for their answers, and begins them. */
export function holdByPausing(pid: number, begin: () => readonly Promise<unknown>[]): HeldCalls {
  process.kill(pid, "SIGSTOP");
  return { answers: begin(), release: () => process.kill(pid, "SIGCONT") };
}

/** Begins requests with JSON, and sends no body before they are released. Done when the server has asked for all of them. */
export async function holdBodies(url: string, bodies: readonly unknown[]): Promise<HeldCalls> {
  const begun = await Promise.all(bodies.map(async (body) => ({ body, request: await beginPost(url) })));
  return {
    answers: begun.map(({ request }) => answerOf(request)),
    release: () => {
      for (const { request, body } of begun) request.end(JSON.stringify(body));
    },
  };
}

/** @throws Error for an answer that is no 200 or isn't whole */
async function answerOf(request: ClientRequest): Promise<void> {
  const answer: IncomingMessage = (await once(request, "response"))[0];
  const content = await text(answer);
  if (answer.statusCode !== 200 || !answer.complete) throw new Error(`${answer.statusCode} ${content}`);
}
