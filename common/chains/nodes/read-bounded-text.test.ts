import { describe, expect, it } from "vitest";
import { BodyTooLarge, readBoundedText } from "./read-bounded-text.ts";

describe("readBoundedText", () => {
  it("reads a body up to the bound", async () => {
    expect(await readBoundedText(new Response("größer"), 8)).toBe("größer");
    expect(await readBoundedText(new Response(null), 0)).toBe("");
  });

  it("stops reading beyond it", async () => {
    let pulls = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulls += 1;
        controller.enqueue(new Uint8Array(10));
      },
    });
    await expect(readBoundedText(new Response(endless), 25)).rejects.toThrow(BodyTooLarge);
    expect(pulls).toBeLessThan(10);
  });
});
