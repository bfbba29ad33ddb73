import type { Command } from "./base/command.ts";
import { alignColumns } from "./output/align-columns.ts";

/** The command that people type. */
export const PROGRAM = "npm run tidemark --";

const ENVIRONMENT = `Settings (environment variables):
  COMMITMENTS_URL  the commitments service (http://127.0.0.1:8081); this and the next three: or several, separated by commas
  INDEXER_URL      the indexer (http://127.0.0.1:8082)
  AUTH_RPC_URL     the auth service (http://127.0.0.1:8083)
  ENTITIES_URL     the entities service (http://127.0.0.1:8084)
  CALLER_NAME      the caller's name (operator)
  CALLER_KEY       the caller's key; CALLER_KEY_FILE names a file with it. The default is the key of the \`npm start\`
                   that runs on this machine: operator.key in DATA_DIR (data)`;

const OWN_ROWS = [
  ["  completion bash|zsh", "print a script that completes commands and options in a shell"],
  ["  --version", "print the version"],
];

/** The list of the commands of a group, such as `sale`. */
export function groupHelp(commands: readonly Command[], group: string): string {
  const members = commands.filter(({ name }) => name.startsWith(`${group} `));
  const rows = members.map((command) => [`  ${usageOf(command)}`, command.summary]);
  return `Usage: ${PROGRAM} ${group} COMMAND\n\n${alignColumns(rows)}\n\nUse ${group} COMMAND --help for the options of a command.\n`;
}

/** The list of commands. */
export function programHelp(commands: readonly Command[]): string {
  const rows = [...commands.map((command) => [`  ${usageOf(command)}`, command.summary]), ...OWN_ROWS];
  return `Usage: ${PROGRAM} COMMAND\n\n${alignColumns(rows)}\n\n${ENVIRONMENT}\n\nUse COMMAND --help for the options of a command.\n`;
}

/** The text for `--help` after a command. */
export function commandHelp(command: Command): string {
  const own = Object.entries(command.options).map(([name, { value, help }]) => [
    `  --${name}${value === undefined ? "" : ` ${value}`}`,
    help,
  ]);
  const options = alignColumns([...own, ["  --help", "this text"]]);
  const details = command.details === undefined ? "" : `\n${command.details}\n`;
  return `Usage: ${PROGRAM} ${usageOf(command)} [options]\n\n${command.summary}\n${details}\n${options}\n`;
}

function usageOf({ name, positionals }: Command): string {
  return [name, ...positionals].join(" ");
}
