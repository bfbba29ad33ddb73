import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import type { GoTool } from "./tools.ts";

const TOOL: GoTool = { name: "tidemark-test-tool", module: "example.com/tool/v3/cmd/tool", version: "v3.2.1" };

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Finds the tool where Go says that the one on the PATH has a version, and the pinned one is kept or can't be had. */
async function found(version: string, { isKept }: { readonly isKept: boolean }) {
  const folder = await mkdtemp(join(tmpdir(), "tools-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [bin, cache] = [join(folder, "bin"), join(folder, "cache")];
  const kept = join(cache, "tidemark", "go-tools", `${TOOL.name}-${TOOL.version}`, TOOL.name);
  await program(join(bin, TOOL.name), "exit 0");
  await program(join(bin, "go"), `[ "$1" = version ] && printf '\\tmod\\texample.com/tool/v3\\t${version}\\th1:=\\n'`);
  if (isKept) await program(kept, "exit 0");
  vi.stubEnv("PATH", `${bin}:/usr/bin:/bin`);
  vi.stubEnv("XDG_CACHE_HOME", cache);
  const { goTool } = await import("./tools.ts");
  const said: string[] = [];
  const tool = await goTool(TOOL, (line) => said.push(line));
  const names = new Map([
    [join(bin, TOOL.name), "the one on the PATH"],
    [kept, "the kept one"],
  ]);
  return { tool: "path" in tool ? names.get(tool.path) : tool, said: said.map((line) => line.replace(bin, "bin")) };
}

async function program(path: string, script: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

it("a tool on the PATH is used where it has the pinned version", async () => {
  expect(await found("v3.2.1", { isKept: true })).toEqual({ tool: "the one on the PATH", said: [] });
});

it("one of another version gives way to the pinned one", async () => {
  expect(await found("v3.2.0", { isKept: true })).toEqual({ tool: "the kept one", said: [] });
});

it("one of another version is said to be used where the pinned one can't be had", async () => {
  expect(await found("(devel)", { isKept: false })).toEqual({
    tool: "the one on the PATH",
    said: ["tidemark-test-tool: bin/tidemark-test-tool, (devel), is used in place of v3.2.1"],
  });
});
