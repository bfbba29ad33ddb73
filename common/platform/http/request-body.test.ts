import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { receiveBody } from "./request-body.ts";

/** Begins to receive a body. @returns what it came to */
function received(request: PassThrough, maxBytes = 10): Promise<string> {
  return new Promise((resolve) => {
    receiveBody(
      request,
      maxBytes,
      (body) => resolve(body?.toString() ?? "refused"),
      () => resolve("broken off"),
    );
  });
}

describe("a body", () => {
  it("is given whole", async () => {
    const request = new PassThrough();
    const outcome = received(request);
    request.write("one ");
    request.end("two");
    expect(await outcome).toBe("one two");
  });

  it("is refused beyond the bound, whatever comes after", async () => {
    const request = new PassThrough();
    const outcome = received(request, 3);
    request.end("four");
    expect(await outcome).toBe("refused");
    request.destroy(new Error("gone"));
  });

  it.each([
    ["with an error", new Error("gone")],
    ["without one", undefined],
  ])("that breaks off %s, in the middle or before anything was read, settles too", async (_, error) => {
    const begun = new PassThrough();
    const outcome = received(begun);
    begun.once("data", () => begun.destroy(error));
    begun.write("one");
    expect(await outcome).toBe("broken off");

    const gone = new PassThrough().on("error", () => undefined).destroy(error);
    await new Promise((resolve) => gone.once("close", resolve));
    expect(await received(gone)).toBe("broken off");
  });
});
