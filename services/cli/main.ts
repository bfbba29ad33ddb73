import process from "node:process";
import { runCli } from "./cli.ts";

/** What shells make of a SIGPIPE: whoever read the output, such as `head`, has had enough. */
const EXIT_PIPE_CLOSED = 141;

const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort());
process.stdout.on("error", () => process.exit(EXIT_PIPE_CLOSED));

const code = await runCli({
  args: process.argv.slice(2),
  variables: process.env,
  output: process.stdout,
  errors: process.stderr,
  signal: interrupted.signal,
});
// Connections are kept alive for a next call, which doesn't come.
process.exit(code);
