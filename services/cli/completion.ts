import type { Command } from "./base/command.ts";

export const SHELLS = ["bash", "zsh"] as const;
export type Shell = (typeof SHELLS)[number];

/** Commands that need no service, beside those of the table. */
const OWN = ["completion", "help", "--help", "--version"];

/**
 * Returns a script that completes commands and options of `tidemark`. It is for bash; zsh runs it through its own
 * `bashcompinit`.
 */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const groups = Map.groupBy(commands, ({ name }) => name.split(" ")[0] ?? "");
  const cases = [
    ...Array.from(groups, ([group, members]) => {
      const words = members.flatMap(({ name }) => name.split(" ").slice(1));
      return words.length === 0 ? [] : [`    "${group}") words="${words.join(" ")} --help" ;;`];
    }).flat(),
    ...commands.map((command) => `    "${command.name}"*) words="${optionsOf(command).join(" ")}" ;;`),
    `    "completion"*) words="${SHELLS.join(" ")}" ;;`,
  ];
  return [
    `# Completion of tidemark for ${shell}.`,
    ...(shell === "zsh" ? ["autoload -U +X bashcompinit && bashcompinit"] : []),
    "_tidemark() {",
    `  local current="\${COMP_WORDS[COMP_CWORD]}" line="\${COMP_WORDS[*]:1:$((COMP_CWORD - 1))}"`,
    `  local words="${[...groups.keys(), ...OWN].join(" ")}"`,
    // The longest names come first, and a lone group matches only itself.
    '  case "$line" in',
    '    "") ;;',
    ...cases,
    '    *) words="" ;;',
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    "}",
    // File names complete where no word does.
    "complete -o default -F _tidemark tidemark",
    "",
  ].join("\n");
}

function optionsOf({ options }: Command): string[] {
  return [...Object.keys(options), "help"].map((name) => `--${name}`);
}
