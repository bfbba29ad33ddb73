import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { CliOutput } from "../base/cli-context.ts";
import { StatusLine } from "./status-line.ts";

function captured(terminal: { isTTY?: boolean; columns?: number }): { output: CliOutput; text: () => string } {
  let text = "";
  const output = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  return { output: Object.assign(output, terminal), text: () => text };
}

describe("StatusLine", () => {
  it("overwrites one line of a terminal, cut to its width", async () => {
    const { output, text } = captured({ isTTY: true, columns: 5 });
    const line = new StatusLine(output);
    await line.show("running", "123456", 0);
    await line.show("running", "78", 1);
    await line.end();
    await line.end();
    expect(text()).toBe("\r1234\u001b[K\r78\u001b[K\n");
  });

  it("elsewhere writes a line every 5 seconds, and another kind at once", async () => {
    const { output, text } = captured({});
    const line = new StatusLine(output);
    await line.show("running", "a", 0);
    await line.show("running", "b", 4_999);
    await line.show("running", "c", 5_000);
    await line.show("done", "d", 5_001);
    await line.end();
    expect(text()).toBe("a\nc\nd\n");
  });
});
