#!/usr/bin/env node
import process from "node:process";
import { parseArgs } from "node:util";
import { banner } from "./banner.ts";
import { startMock } from "./index.ts";
import { MockError } from "./mock-error.ts";

const DEFAULT_PORT = "4010";
const USAGE = `tidemark-client mock [--port ${DEFAULT_PORT}] [--host 127.0.0.1] [--prefix svc] [STATE=VALUE …]

Starts a local server that answers every public call of Tidemark, in the states that you choose.
`;
/** Exit code of a wrong command. */
const USAGE_EXIT = 64;

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${textOf(error)}\n`);
  process.exitCode = USAGE_EXIT;
}

async function run(args: string[]): Promise<void> {
  const string = (value: string) => ({ type: "string", default: value }) as const;
  const options = { port: string(DEFAULT_PORT), host: string("127.0.0.1"), prefix: string("svc") };
  const help = { type: "boolean", default: false } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...options, help } });
  const [command, ...chosen] = positionals;
  if (values.help || command !== "mock") {
    process.stdout.write(USAGE);
    process.exitCode = values.help ? 0 : USAGE_EXIT;
    return;
  }
  const { host, prefix } = values;
  const states = Object.fromEntries(chosen.map(stateOf));
  const { url } = await startMock({ host, prefix, port: portOf(values.port), states });
  process.stdout.write(banner(url, prefix));
}

function stateOf(text: string): [name: string, value: string] {
  const [name = "", ...value] = text.split("=");
  if (value.length === 0) throw new Error(`${text}: a state is chosen as NAME=VALUE`);
  return [name, value.join("=")];
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new Error("--port: must be an integer from 0 to 65535");
}

/** Returns an error in words; that of a state in those of its fields. */
function textOf(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return "--port: is in use; choose another one, or 0 for one that is free";
  }
  if (error instanceof MockError && typeof error.body !== "string") return String(error.body["message"]);
  return error instanceof Error ? error.message : String(error);
}
