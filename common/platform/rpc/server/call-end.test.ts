import { Code, ConnectError, type StreamRequest, type StreamResponse, type UnaryRequest } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { callSignal, withCallSignal } from "../../concurrency/call-signal.ts";
import { endWithCall } from "./call-end.ts";

const requestWith = (signal: AbortSignal) => ({ stream: false, signal }) as UnaryRequest;

describe("endWithCall", () => {
  it("passes the answer on, and shows the signal to what runs for the call", async () => {
    const { signal } = new AbortController();
    const answer = {} as never;
    let seen: AbortSignal | undefined;
    const handler = async () => {
      await Promise.resolve();
      seen = callSignal();
      return answer;
    };
    expect(await endWithCall(handler)(requestWith(signal))).toBe(answer);
    expect(seen).toBe(signal);
    expect(callSignal()).toBeUndefined();
  });

  it("shows a stream's own signal to each step of its generator, whatever call its reader is in", async () => {
    const { signal } = new AbortController();
    const seen: (AbortSignal | undefined)[] = [];
    async function* answers() {
      try {
        for (;;) {
          seen.push(callSignal());
          await Promise.resolve();
          seen.push(callSignal());
          yield {} as never;
        }
      } finally {
        seen.push(callSignal());
      }
    }
    const handler = async () => ({ stream: true, message: answers() }) as unknown as StreamResponse;
    const request = { stream: true, signal } as StreamRequest;

    await withCallSignal(AbortSignal.abort(), async () => {
      const { message } = (await endWithCall(handler)(request)) as StreamResponse;
      const reader = message[Symbol.asyncIterator]();
      await reader.next();
      await reader.next();
      await reader.return?.();
    });

    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(new Set([signal]));
  });

  it("ends a call whose handler never answers", async () => {
    const calling = new AbortController();
    const call = endWithCall(() => new Promise<never>(() => {}))(requestWith(calling.signal));
    calling.abort(new ConnectError("the time is over", Code.DeadlineExceeded));
    await expect(call).rejects.toMatchObject({ code: Code.DeadlineExceeded });
  });

  it("doesn't begin a call that has ended", async () => {
    const reason = new ConnectError("gone", Code.Canceled);
    const call = endWithCall(() => Promise.reject(new Error("begun")))(requestWith(AbortSignal.abort(reason)));
    await expect(call).rejects.toBe(reason);
  });
});
