import { join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { imageDigest } from "../../scripts/release/image-digest.ts";
import { chartDigestIn, writeReleasedChart } from "../../scripts/release/publish.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { findProgram } from "../support/processes/program.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { helm, helmProgram, KUBERNETES, valuesFile } from "../support/repository/chart.ts";

const FILE = {
  home: "https://github.com/owner/tidemark",
  imageRegistry: "registry.example",
  scope: "owner",
  buildkit: "",
  sbomGenerator: "",
};
const IMAGE_DIGEST = `sha256:${"a".repeat(64)}`;
const VERSION = "1.2.3";
const LISTENS = /serving on port (\d+)/;

/** A registry as a program: `CRANE`, which the part `release` sets, or crane on the PATH. */
const crane = process.env["CRANE"] ?? findProgram("crane");
const missing = Object.entries({ helm: helmProgram(), crane }).flatMap(([name, path]) =>
  path === undefined ? [name] : [],
);

/** Starts a registry that keeps everything in memory. @returns its host and port */
async function startRegistry(): Promise<string> {
  const args = ["registry", "serve", "--address", "127.0.0.1:0"];
  const registry = await startProcess({ command: crane ?? "", args, ready: LISTENS });
  onTestFinished(async () => void (await registry.kill()));
  const [, port] = await registry.waitForLine(LISTENS);
  return `127.0.0.1:${port}`;
}

describe.skipIf(missing.length > 0)(`a released chart (${missing.join(", ") || "nothing is missing"})`, () => {
  it("is pushed under its version, found by its digest, and installs the released image", async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const chart = join(folder.path, "tidemark");
    await writeReleasedChart(chart, { file: FILE, version: VERSION }, IMAGE_DIGEST);
    const versions = ["--version", VERSION, "--app-version", VERSION];
    expect(await helm("package", chart, ...versions, "--destination", folder.path)).toMatchObject({ ok: true });

    const host = await startRegistry();
    const archive = join(folder.path, `tidemark-${VERSION}.tgz`);
    const pushed = await helm("push", archive, `oci://${host}/owner/charts`, "--plain-http");
    expect(pushed.ok, pushed.stderr).toBe(true);
    const digest = chartDigestIn(`${pushed.stdout}${pushed.stderr}`);
    expect(await imageDigest(`${host}/owner/charts/tidemark`, VERSION, "http")).toBe(digest);

    const source = [`oci://${host}/owner/charts/tidemark`, "--version", VERSION, "--plain-http"];
    const values = ["--values", valuesFile("public-read"), "--kube-version", KUBERNETES];
    const rendered = await helm("template", "tidemark", ...source, ...values);
    expect(rendered.ok, rendered.stderr).toBe(true);
    const images = [...rendered.stdout.matchAll(/^ *(?:- )?image: "?([^"\n]+)"?$/gm)].map(([, image]) => image);
    expect(new Set(images)).toEqual(new Set([`registry.example/owner/tidemark@${IMAGE_DIGEST}`]));
  });
});
