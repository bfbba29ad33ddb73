import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { readBody } from "./read-body.ts";

describe("readBody", () => {
  const requestOf = (...chunks: readonly (Uint8Array | null)[]) => {
    const request = new IncomingMessage(new Socket());
    for (const chunk of chunks) request.push(chunk);
    return request;
  };

  it("joins chunks, up to the bound", async () => {
    const request = requestOf(Uint8Array.of(1, 2), Uint8Array.of(3), Uint8Array.of(4, 5), null);
    expect(await readBody(request, 5)).toEqual(Uint8Array.of(1, 2, 3, 4, 5));
    expect(await readBody(requestOf(null), 0)).toEqual(new Uint8Array());
  });

  it("has memory of its own", async () => {
    const received = Buffer.from("abcd");
    const body = await readBody(requestOf(received.subarray(1, 3), null), 5);
    received.fill(0);
    expect([Buffer.from(body).toString(), body.buffer.byteLength]).toEqual(["bc", 2]);
  });

  it("refuses what is too large before its end has come", async () => {
    const refused = { code: Code.ResourceExhausted };
    await expect(readBody(requestOf(Uint8Array.of(1, 2), Uint8Array.of(3)), 2)).rejects.toMatchObject(refused);
  });

  it("fails if its client goes, also before it begins to read", async () => {
    const canceled = { code: Code.Canceled };
    const leaving = requestOf(Uint8Array.of(1));
    const reading = readBody(leaving, 5);
    leaving.destroy();
    await expect(reading).rejects.toMatchObject(canceled);
    const gone = requestOf(Uint8Array.of(1));
    gone.destroy();
    await once(gone, "close");
    await expect(readBody(gone, 5)).rejects.toMatchObject(canceled);
  });
});
