import { describe, expect, it } from "vitest";
import { codeSpans, tableRows } from "../../test/support/repository/markdown.ts";
import { readRepository } from "../../test/support/repository/repository.ts";
import { COMMANDS } from "./commands.ts";

/** The rows of the table in docs/operating.md, as the code that they have. */
const ROWS = tableRows(readRepository("docs/operating.md"), "command").map((cells) => cells.flatMap(codeSpans));
/** Commands that `cli.ts` answers itself. */
const OWN = ["completion"];
const names = COMMANDS.map(({ name }) => name);

const nameIn = (code: string) => [...names, ...OWN].find((name) => code === name || code.startsWith(`${name} `));

describe("the commands of docs/operating.md", () => {
  it("are all that there are", () => {
    const documented = ROWS.flat().map(nameIn);
    expect(names.filter((name) => !documented.includes(name))).toEqual([]);
    expect(ROWS.map(([code = ""]) => code).filter((code) => nameIn(code) === undefined)).toEqual([]);
  });

  it("have the options that their rows name", () => {
    const unknown = ROWS.flatMap((row) => {
      const commands = COMMANDS.filter(({ name }) => row.some((code) => nameIn(code) === name));
      const options = commands.flatMap(({ options }) => Object.keys(options));
      const named = row.flatMap((code) => Array.from(code.matchAll(/--([a-z][a-z-]*)/g), ([, option = ""]) => option));
      return named.filter((option) => !options.includes(option)).map((option) => `${row[0]}: --${option}`);
    });
    expect(unknown).toEqual([]);
  });
});

it("every option says what it is for, and what its value is, since --help lists all of them", () => {
  const options = COMMANDS.flatMap(({ name, options }) =>
    Object.entries(options).map(([option, { type, value, help }]) => ({
      option: `${name} --${option}`,
      type,
      value,
      help,
    })),
  );
  expect(options.filter(({ help }) => help.trim() === "")).toEqual([]);
  expect(options.filter(({ type, value }) => (type === "string") !== (value !== undefined))).toEqual([]);
});
