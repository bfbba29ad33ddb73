import { expect, it } from "vitest";
import { allCommands, startedCommands } from "./commands-part.ts";

const unknown = (commands: ReturnType<typeof startedCommands>) =>
  commands.filter(({ start }) => start === undefined).map(({ name }) => name);

it("says of every command, benchmark and script how the long run starts it, or why it doesn't", () => {
  const names = allCommands().map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["npm run tidemark", "npm run bench -- bid-to-page", "node scripts/image-tar.ts"]),
  );
  expect(unknown(allCommands())).toEqual([]);
});

it("notices a new command and a new script", () => {
  const scripts = { generate: "node scripts/generate.ts", measure: "node scripts/measure.ts" };
  expect(unknown(startedCommands(scripts, ["scripts/generate.ts", "scripts/other.ts"]))).toEqual([
    "npm run measure",
    "node scripts/other.ts",
  ]);
});
