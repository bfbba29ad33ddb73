import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { findProgram } from "../../test/support/processes/program.ts";
import { COMMANDS } from "./commands.ts";
import { completionScript, SHELLS } from "./completion.ts";

/** Loads what a shell completes with, and lets zsh run the function as its `bashcompinit` does. */
const PRELUDE = { bash: ":", zsh: "autoload -U compinit; compinit -u -D" };
const EMULATE = { bash: ":", zsh: "emulate -R sh" };

for (const shell of SHELLS) {
  describe.skipIf(findProgram(shell) === undefined)(`completion in ${shell}`, () => {
    function offered(...words: string[]): string[] {
      const asked = `COMP_WORDS=(tidemark ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}; _tidemark`;
      const script = `${PRELUDE[shell]}\n${completionScript(shell, COMMANDS)}\n${EMULATE[shell]}\n${asked}\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
      const args = shell === "bash" ? ["--norc", "-c", script] : ["-f", "-c", script];
      return (
        execFileSync(shell, args, { encoding: "utf8" })
          .split("\n")
          // zsh itself drops the words that don't begin as the current one.
          .filter((line) => line !== "" && line.startsWith(words.at(-1) ?? ""))
      );
    }

    it("offers groups and commands of one word", () => {
      expect(offered("")).toEqual(
        expect.arrayContaining(["sale", "application", "backfill", "completion", "--version"]),
      );
      expect(offered("sa")).toEqual(["sale"]);
    });

    it("offers the commands of a group", () => {
      expect(offered("sale", "")).toEqual(expect.arrayContaining(["create", "show", "export"]));
      expect(offered("sale", "s")).toEqual(expect.arrayContaining(["show", "settle"]));
      expect(offered("completion", "")).toEqual([...SHELLS]);
    });

    it("offers the options of a command, also after a value", () => {
      expect(offered("sale", "show", "--")).toEqual(["--json", "--help"]);
      expect(offered("sale", "create", "--name", "N", "--tok")).toEqual(["--token"]);
      expect(offered("backfill", "--h")).toEqual(["--help"]);
    });

    it("offers nothing for an unknown command", () => {
      expect(offered("nothing", "here", "")).toEqual([]);
    });
  });
}
