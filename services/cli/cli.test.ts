import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { runCli } from "./cli.ts";

/** Runs a command line without a key, and returns what is said of it. */
async function refusal(args: readonly string[]) {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const { signal } = new AbortController();
  const code = await runCli({ args, variables: { DATA_DIR: "nowhere" }, output, errors, signal });
  errors.end();
  return { code, errors: await text(errors) };
}

it.each([
  [["verify", "https://tidemark.example"], "verify --help"],
  [["verify", "https://tidemark.example/sales/1"], "verify --help"],
  [["verify"], "verify --help"],
  [["sale", "list", "--bogus"], "sale list --help"],
  [["hide"], "--help"],
])("refuses %j without asking for a key, and names the help about it", async (args, help) => {
  const { code, errors } = await refusal(args);
  expect(code).toBe(64);
  expect(errors).toMatch(new RegExp(`; see npm run tidemark -- ${help}\n$`));
});
