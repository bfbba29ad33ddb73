import { describe, expect, it } from "vitest";
import { runCommand } from "./run-command.ts";

const limitMs = 60_000;

describe("runCommand", () => {
  it("reports a failing exit code and a missing command as not ok", async () => {
    expect(await runCommand({ command: "sh", args: ["-c", "exit 3"], limitMs })).toEqual({ ok: false, output: "" });
    const absent = await runCommand({ command: "no-such-command", args: [], limitMs });
    // EACCES where a folder on the PATH may not be read, as an ordinary user meets it.
    expect(absent).toEqual({ ok: false, output: expect.stringMatching(/ENOENT|EACCES/) });
  });

  it("kills a command and what it started at the limit", async () => {
    // Only the end of all processes that hold the output lets this return.
    const result = await runCommand({ command: "sh", args: ["-c", "sleep 1000 & sleep 1000"], limitMs: 100 });
    expect(result).toEqual({ ok: false, output: "\nsh: killed after 0.1 s" });
  });

  it("doesn't wait for processes that a finished command left behind", async () => {
    const result = await runCommand({ command: "sh", args: ["-c", "sleep 1000 & echo done"], limitMs });
    expect(result).toEqual({ ok: true, output: "done\n" });
  });
});
