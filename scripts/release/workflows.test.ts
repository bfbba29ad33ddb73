import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { REPOSITORY_ROOT, readRepository } from "../../test/support/repository/repository.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly permissions: Readonly<Record<string, string>>; readonly steps: readonly Step[] }>
  >;
}

const FOLDER = ".github/workflows";
const files = globSync("*", { cwd: `${REPOSITORY_ROOT}/${FOLDER}` });
const read = (file: string): Workflow => parse(readRepository(`${FOLDER}/${file}`));

describe.each(files)(".github/workflows/%s", (file) => {
  const { permissions, jobs } = read(file);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it("only calls scripts that run elsewhere too", () => {
    const { scripts } = JSON.parse(readRepository("package.json"));
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const script = /^npm run ([\w:]+)(?: -- \w+)?$/.exec(command)?.[1];
      expect(script === undefined ? command : script in scripts).toBeOneOf([".ci/run", true]);
    }
  });

  it("has no rights but those that a job names, and leaves no token in the checkout", () => {
    expect(permissions).toEqual({});
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts).toHaveLength(Object.keys(jobs).length);
    for (const { with: options } of checkouts) expect(options).toMatchObject({ "persist-credentials": false });
  });
});

it("each job has the least rights", () => {
  const rights = files.flatMap((file) =>
    Object.entries(read(file).jobs).map(([name, { permissions }]) => [`${file} ${name}`, permissions]),
  );
  expect(Object.fromEntries(rights)).toEqual({
    "checks.yml checks": { contents: "read" },
    "release.yml checks": { contents: "read" },
    "release.yml publish": { contents: "read", packages: "write", "id-token": "write" },
    "release.yml notes": { contents: "write" },
  });
});

it("only a tag starts a release", () => {
  expect(read("release.yml").on).toEqual({ push: { tags: ["v*"] } });
});
