import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { readComposeFile } from "../support/repository/compose-file.ts";
import { REPOSITORY_ROOT, readRepository } from "../support/repository/repository.ts";

/** Set by the part `compose`. */
const loader = process.env["COMPOSE_LOADER"];
const FILE = "deploy/compose.yaml";

/** Loads a file as Docker Compose does. @throws Error with its message if it refuses the file */
async function load(path: string) {
  const { stdout, stderr } = await promisify(execFile)(loader ?? "", [path], { env: {} });
  return { project: JSON.parse(stdout), warnings: stderr };
}

/** Loads the file with one text replaced. */
async function loadChanged(text: string, replacement: string) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const changed = readRepository(FILE).replace(text, replacement);
  expect(changed).not.toBe(readRepository(FILE));
  const path = join(folder.path, "compose.yaml");
  await writeFile(path, changed);
  return load(path);
}

/** The variables, each `${NAME:-default}` as its default. */
function withDefaults(environment: Readonly<Record<string, string>> = {}): Record<string, string> {
  const entries = Object.entries(environment);
  return Object.fromEntries(entries.map(([name, value]) => [name, value.replaceAll(/\$\{\w+:-(\w*)\}/g, "$1")]));
}

describe.skipIf(loader === undefined)(`${FILE}${loader === undefined ? " (COMPOSE_LOADER is not set)" : ""}`, () => {
  it("is a project of Docker Compose, without a warning", async () => {
    const { project, warnings } = await load(join(REPOSITORY_ROOT, FILE));
    expect(warnings).toBe("");
    expect(project.name).toBe("tidemark");
  });

  it("means there what the other tests take it for", async () => {
    const { project } = await load(join(REPOSITORY_ROOT, FILE));
    const { services, volumes } = readComposeFile();
    expect(Object.keys(project.services).toSorted()).toEqual(Object.keys(services).toSorted());
    expect(Object.keys(project.volumes).toSorted()).toEqual(Object.keys(volumes).toSorted());
    for (const [name, service] of Object.entries(services)) {
      const loaded = project.services[name];
      expect(loaded.healthcheck?.test, name).toEqual(service.healthcheck?.test);
      expect(loaded.command ?? undefined, name).toEqual(service.command);
      expect(loaded.environment ?? {}, name).toEqual(withDefaults(service.environment));
      expect([loaded.read_only, loaded.cap_drop], name).toEqual([service.read_only, service.cap_drop]);
    }
  });

  it.each([
    ["a text that YAML takes for a mapping", "- 'fetch(", "- fetch: '(", /healthcheck\.test\.3/],
    ["a field that doesn't exist", "start_period:", "start_after:", /start_after/],
    ["a service that isn't there", "auth: { condition", "oauth: { condition", /oauth/],
    ["a volume that isn't declared", "\n  nats:\n  secrets-master:", "\n  secrets-master:", /undefined volume nats/],
  ])("would be refused with %s", async (_, text, replacement, message) => {
    await expect(loadChanged(text, replacement)).rejects.toThrow(message);
  });
});
