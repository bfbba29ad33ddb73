import { describe, expect, it } from "vitest";
import type { ContractSettings, ContractStatements } from "../../contract-facts.ts";
import { meaningOf } from "./contract-version.ts";

const VERSION_1 = [1, 0, 0] as const;
const VERSION_2 = [2, 1, 7] as const;
const VERSION_3 = [3, 0, 0] as const;

describe("meaningOf", () => {
  it.each([
    [VERSION_1, ["pre_open", "commitment", "closed", "cancellation", "settlement", "done"]],
    [VERSION_2, ["pre_open", "commitment", "cancellation", "settlement", "done"]],
    [undefined, ["pre_open", "commitment", "cancellation", "settlement", "done"]],
  ] as const)("names the stages of a contract whose version is %j", (release, stages) => {
    const found = [0, 1, 2, 3, 4, 5].map((stageNumber) => meaningOf({ ...(release && { release }), stageNumber }, {}));
    expect(found.map(({ stage }) => stage).filter((stage) => stage !== undefined)).toEqual(stages);
    expect(found.filter(({ warnings }) => warnings.length > 0)).toHaveLength(6 - stages.length);
  });

  it.each<[string, ContractStatements, ContractSettings, string | undefined, readonly RegExp[]]>([
    ["nothing", {}, {}, undefined, []],
    ["only a setting", { stageNumber: 4 }, { contractVersion: 1 }, "settlement", []],
    ["the same twice", { release: VERSION_1, stageNumber: 4 }, { contractVersion: 1 }, "settlement", []],
    [
      "a setting that differs",
      { release: VERSION_1, stageNumber: 4 },
      { contractVersion: 2 },
      "settlement",
      [/version\(\) of the contract is 1\.0\.0, but the sale's settings say version 2/],
    ],
    [
      "an unknown version",
      { release: VERSION_3, stageNumber: 4 },
      {},
      undefined,
      [/3\.0\.0, whose stages aren't known/],
    ],
    ["an unknown version and a setting", { release: VERSION_3, stageNumber: 4 }, { contractVersion: 2 }, "done", []],
    [
      "an unknown stage",
      { release: VERSION_2, stageNumber: 5 },
      {},
      undefined,
      [/stage\(\) of the contract is 5, which version 2 of the reference contract doesn't have/],
    ],
    ["amounts kept as the version says", { release: VERSION_1 }, { cancelledKeepsAmounts: true }, undefined, []],
    [
      "amounts not kept as the version says",
      { release: VERSION_1 },
      { cancelledKeepsAmounts: false },
      undefined,
      [/version 1 keeps the amounts of cancelled commitments/],
    ],
    [
      "amounts not taken as the setting says",
      {},
      { contractVersion: 2, cancelledKeepsAmounts: true },
      undefined,
      [/version 2 takes the amounts of cancelled commitments away/],
    ],
    ["no version, whatever is kept", {}, { cancelledKeepsAmounts: true }, undefined, []],
    ["an unknown version, whatever is kept", { release: VERSION_3 }, { contractVersion: 2 }, undefined, []],
  ])("decides with %s", (_, statements, settings, stage, warnings) => {
    const meaning = meaningOf(statements, settings);
    expect(meaning.stage).toBe(stage);
    expect(meaning.warnings).toEqual(warnings.map((words) => expect.stringMatching(words)));
  });

  it.each([
    [VERSION_1, {}, true],
    [VERSION_2, { contractVersion: 1 }, false],
    [undefined, { contractVersion: 1 }, true],
    [undefined, {}, undefined],
    [VERSION_3, {}, undefined],
  ])("says what a cancellation keeps: version %j, settings %j", (release, settings, keeps) => {
    expect(meaningOf(release === undefined ? {} : { release }, settings).cancelledKeepsAmounts).toBe(keeps);
  });
});
