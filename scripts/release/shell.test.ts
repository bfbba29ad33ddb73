import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../test/support/processes/temporary-folder.ts";
import { dryShell, realShell } from "./shell.ts";

it("runs a command with its input, and writes its output to a file", async () => {
  const printed = vi.spyOn(console, "log").mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const outputFile = join(folder.path, "output");
  const args = ["-c", 'printf "%s," "$@"; cat', "sh", "x", "a b"];
  expect(await realShell.run("sh", args, { input: "secret", outputFile })).toBe("x,a b,secret");
  expect(await readFile(outputFile, "utf8")).toBe("x,a b,secret");
  expect(printed.mock.calls.join()).not.toContain("secret");
});

it("returns what a command says on standard error only where it is asked for, and throws if the command fails", async () => {
  const printed = [vi.spyOn(console, "log").mockReturnValue(), vi.spyOn(process.stderr, "write").mockReturnValue(true)];
  onTestFinished(() => {
    for (const each of printed) each.mockRestore();
  });
  const args = ["-c", "echo Digest >&2"];
  expect(await realShell.run("sh", args)).toBe("");
  expect(await realShell.run("sh", args, { withErrors: true })).toBe("Digest\n");
  await expect(realShell.run("sh", ["-c", "exit 3"])).rejects.toThrow("ended with 3");
});

it("prints commands as a shell takes them, and runs nothing", async () => {
  const lines: string[] = [];
  const shell = dryShell((line) => lines.push(line));
  expect(await shell.run("no-such-program", ["--title", "it's 1"], { input: "secret", outputFile: "file" })).toBe("");
  expect(lines).toEqual(["$ no-such-program --title 'it'\\''s 1' > file"]);
});
