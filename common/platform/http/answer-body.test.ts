import { describe, expect, it } from "vitest";
import { BodyTooLarge, readAnswerBody } from "./answer-body.ts";

describe("readAnswerBody", () => {
  it("reads a body up to the bound", async () => {
    expect((await readAnswerBody(new Response("größer").body, 8)).toString()).toBe("größer");
    expect((await readAnswerBody(null, 0)).toString()).toBe("");
  });

  it("stops reading beyond it", async () => {
    let pulls = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        controller.enqueue(new Uint8Array(10));
      },
    });
    await expect(readAnswerBody(endless, 25)).rejects.toThrow(BodyTooLarge);
    expect(pulls).toBeLessThan(10);
  });
});
