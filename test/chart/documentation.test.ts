import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { Env } from "../../common/platform/config/env.ts";
import { parseCallerKey, readCallerKeys } from "../../common/platform/rpc/identity/caller-keys.ts";
import { runShell } from "../support/processes/shell.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import { helm, KUBERNETES } from "../support/repository/chart.ts";
import { codeBlocks } from "../support/repository/markdown.ts";
import { readRepository } from "../support/repository/repository.ts";

const document = readRepository("docs/kubernetes.md");
const commands = codeBlocks(document, "console").flatMap(({ code }) =>
  Array.from(code.matchAll(/^\$ (.*)$/gm), ([, command = ""]) => command),
);
const installs = commands.filter((command) => command.startsWith("helm install "));
const [firstValues] = codeBlocks(document, "yaml");
const ownValues = firstValues?.code.replace("…", "0123456789abcdef".repeat(4)) ?? "";

/** Values that the document names because they are wise, though the chart works without them. */
const OPTIONAL = ["callers", "image", "database.migrationSecretName", "ingress", "networkPolicy"];

describe("docs/kubernetes.md", () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder?.remove());

  /** Renders what a documented `helm install` would install with these values of the operator's own. */
  async function render(command: string, values: string) {
    await writeFile(join(folder.path, "your-values.yaml"), values);
    const [, , ...args] = command.split(" ");
    const here = args.map((arg) => (arg === "your-values.yaml" ? join(folder.path, arg) : arg));
    return helm("template", ...here, "--kube-version", KUBERNETES);
  }

  it("installs the evaluation and the production set-up", () => {
    expect(installs).toHaveLength(2);
  });

  it.each(installs)("is taken by helm at its word: %s", async (command) => {
    const { ok, stderr, stdout } = await render(command, ownValues);
    expect(stderr).toBe("");
    expect(ok).toBe(true);
    expect(stdout).toContain(`image: "registry.example.com/tidemark`);
  });

  const documented = leaves(parse(ownValues)).filter(
    (path) => !OPTIONAL.some((optional) => `${path}.`.startsWith(`${optional}.`)),
  );
  it.each(documented)("names no value that could be left out: %s", async (path) => {
    const [command = ""] = installs.filter((each) => each.includes("values-ha.yaml"));
    const { ok, stderr } = await render(command, stringify(without(parse(ownValues), path.split("."))));
    expect(ok).toBe(false);
    expect(stderr).toContain(path.split(".")[0]);
  });

  it("makes keys of gateways' status that gateways and the operator's command take, on no command line", async () => {
    const [command = ""] = commands.filter((each) => each.includes("tidemark-status"));
    const [making = "", creating = ""] = command.split(" | ");
    expect(creating).toBe("kubectl create secret generic tidemark-status --from-env-file=/dev/stdin");
    const [, key = "", keys = ""] = /^caller-key=(.*)\ncaller-keys=(.*)\n$/.exec(await runShell(making)) ?? [];
    const own = parseCallerKey("GATEWAY_CALLER_KEY", key);
    expect(readCallerKeys(new Env({ CALLER_KEYS: keys }))).toEqual(new Map([["operator", [own]]]));
  });

  it("makes a key that the auth service takes", async () => {
    const [, pipeline = ""] = /--from-literal=key=\$\((.*)\)$/m.exec(commands.join("\n")) ?? [];
    expect((await runShell(pipeline)).trim()).toMatch(/^[\w-]{43}$/);
  });
});

/** Paths of the values, a map with a name being one value. */
function leaves(values: object, path = ""): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value) && !("name" in value);
    return isMap ? leaves(value, `${path}${key}.`) : [`${path}${key}`];
  });
}

function without(values: Record<string, unknown>, [key = "", ...rest]: readonly string[]): Record<string, unknown> {
  const { [key]: value, ...others } = values;
  return rest.length === 0 ? others : { ...others, [key]: without(value as Record<string, unknown>, rest) };
}
