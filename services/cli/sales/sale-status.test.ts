import { expect, it } from "vitest";
import type { CliContext } from "../base/cli-context.ts";
import { UsageError } from "../base/cli-error.ts";
import { COMMANDS } from "../commands.ts";
import { parseCommandLine } from "../parse-command-line.ts";

/** Runs a command line. @returns the requests that it made, each after its method's name */
async function requestsOf(...args: string[]): Promise<readonly unknown[]> {
  const line = parseCommandLine(COMMANDS, args);
  if (line.kind !== "run") throw new Error("expected a command to run");
  const requests: unknown[] = [];
  const method = (name: string) => async (request: unknown) => requests.push([name, request]);
  const sales = { openSale: method("open"), withdrawSale: method("withdraw"), deleteDraft: method("delete") };
  const output = { write: (_: string, written: () => void) => written() };
  await line.command.run(line.input, { sales, output } as unknown as CliContext);
  return requests;
}

it.each([
  [
    ["open", "u"],
    ["open", { saleUuid: "u", overrideConfirmName: "" }],
  ],
  [
    ["open", "u", "--override", "--confirm=Pier"],
    ["open", { saleUuid: "u", overrideConfirmName: "Pier" }],
  ],
  [
    ["withdraw", "u", "--confirm=Pier"],
    ["withdraw", { saleUuid: "u", confirmName: "Pier" }],
  ],
  [
    ["delete", "u", "--confirm=Pier"],
    ["delete", { saleUuid: "u", confirmName: "Pier" }],
  ],
])("sale %s sends the name that was typed", async (args, request) => {
  expect(await requestsOf("sale", ...args)).toEqual([request]);
});

it.each([
  [["open", "u", "--override"], "--confirm NAME is missing: the sale's name"],
  [["open", "u", "--override", "--confirm="], "--confirm NAME is missing: the sale's name"],
  [["open", "u", "--confirm=Pier"], "--confirm is only for --override"],
  [["withdraw", "u"], "--confirm NAME is missing: the sale's name"],
  [["delete", "u"], "--confirm NAME is missing: the sale's name"],
])("sale %s is refused before anything is asked", async (args, message) => {
  await expect(requestsOf("sale", ...args)).rejects.toThrow(new UsageError(message));
});
