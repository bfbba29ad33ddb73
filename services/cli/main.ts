import process from "node:process";
import { runCli } from "./cli.ts";

/** The code that shells report for a SIGPIPE: the reader of the output, such as `head`, has closed it. */
const EXIT_PIPE_CLOSED = 141;

/** The code of a second signal, for which nothing is waited. */
const EXIT_INTERRUPTED = 130;

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(EXIT_INTERRUPTED);
    interrupted.abort();
  });
}
process.stdout.on("error", () => process.exit(EXIT_PIPE_CLOSED));

const code = await runCli({
  args: process.argv.slice(2),
  variables: process.env,
  output: process.stdout,
  errors: process.stderr,
  signal: interrupted.signal,
});
// Idle connections would keep the process alive.
process.exit(code);
