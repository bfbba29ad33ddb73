import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../../test/support/processes/temporary-folder.ts";
import { readRepository } from "../../test/support/repository/repository.ts";
import { publishNotes, releaseNotes } from "./notes.ts";
import {
  chartDigestIn,
  imageDigestIn,
  publishChart,
  publishImage,
  signIn,
  UNKNOWN_DIGEST,
  writeReleasedChart,
} from "./publish.ts";
import { dryShell } from "./shell.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const FILE = {
  home: "https://github.com/owner/tidemark",
  imageRegistry: "registry.example",
  scope: "owner",
  buildkit: `moby/buildkit:1@${DIGEST}`,
  sbomGenerator: `docker/scanner:1@${DIGEST}`,
};

/** Prints what a release of 0.2.0 would run. */
async function dryRelease() {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const lines: string[] = [];
  const shell = dryShell((line) => lines.push(line.replaceAll(folder.path, "FOLDER")));
  const account = { user: "someone", password: "very secret" };
  const publication = { file: FILE, version: "0.2.0", committed: "1790000000", ...account, folder: folder.path };
  await signIn(publication, shell);
  const image = await publishImage(publication, shell);
  const chart = await publishChart(publication, image, shell);
  await publishNotes(folder.path, "0.2.0", "notes", shell);
  return { image, chart, text: lines.join("\n") };
}

it("builds for both platforms with provenance and a list of packages, by pinned images", async () => {
  const { text } = await dryRelease();
  const build = text.split("\n").find((line) => line.includes("buildx build")) ?? "";
  expect(build).toContain("--platform linux/amd64,linux/arm64");
  expect(build).toContain("--attest type=provenance,mode=max");
  expect(build).toContain(`--attest type=sbom,generator=${FILE.sbomGenerator}`);
  expect(build).toContain("name=registry.example/owner/tidemark:0.2.0,push=true");
  expect(build).toContain("SOURCE_DATE_EPOCH=1790000000");
  expect(text).toContain(`--driver-opt image=${FILE.buildkit}`);
});

it("signs image and chart by their digests, attaches the list of npm packages, and prints no password", async () => {
  const { image, chart, text } = await dryRelease();
  expect([image, chart]).toEqual([UNKNOWN_DIGEST, UNKNOWN_DIGEST]);
  expect(text).toContain(`cosign sign --yes --recursive 'registry.example/owner/tidemark@${UNKNOWN_DIGEST}'`);
  expect(text).toContain("cosign attest --yes --type cyclonedx --predicate FOLDER/npm-packages.cdx.json");
  expect(text).toContain("helm push FOLDER/tidemark-0.2.0.tgz oci://registry.example/owner/charts");
  expect(text).toContain(`cosign sign --yes 'registry.example/owner/charts/tidemark@${UNKNOWN_DIGEST}'`);
  expect(text).toContain("gh release create v0.2.0 --verify-tag");
  expect(text).not.toContain("very secret");
});

it("gives the chart the image's digest and the repository's address, and leaves everything else", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const target = join(folder.path, "tidemark");
  await writeReleasedChart(target, { file: FILE, version: "0.2.0" }, DIGEST);
  const read = (name: string) => readFile(join(target, name), "utf8");
  const original = (name: string) => readRepository(`deploy/helm/tidemark/${name}`);
  const before = parse(original("values.yaml"));
  const image = { ...before.image, repository: "registry.example/owner/tidemark", digest: DIGEST };
  const runbookUrl = "https://github.com/owner/tidemark/blob/v0.2.0/docs/alerts.md";
  const monitoring = { ...before.monitoring, runbookUrl };
  expect(parse(await read("values.yaml"))).toEqual({ ...before, image, monitoring });
  expect(parse(await read("Chart.yaml"))).toEqual({
    ...parse(original("Chart.yaml")),
    home: FILE.home,
    sources: [FILE.home],
    icon: "https://github.com/owner/tidemark/raw/v0.2.0/gateway/web/pages/icon.svg",
    maintainers: [{ name: "owner", url: FILE.home }],
  });
  readRepository("gateway/web/pages/icon.svg");
  expect(await read("values.yaml")).toContain("# -- image digest");
});

it("reads the digests that docker and helm give", () => {
  expect(imageDigestIn(JSON.stringify({ "containerimage.digest": DIGEST }))).toBe(DIGEST);
  expect(chartDigestIn(`Pushed: registry.example/owner/charts/tidemark:0.2.0\nDigest: ${DIGEST}\n`)).toBe(DIGEST);
  expect(() => imageDigestIn("{}")).toThrow("no digest");
  expect(() => chartDigestIn("Digest: sha256:123\n")).toThrow("no digest");
});

it("says in the notes what changed, what was published and how to check it", () => {
  const section = { version: "0.2.0", date: "2026-12-01", text: "- More." };
  const notes = releaseNotes(FILE, section, { image: DIGEST, chart: DIGEST });
  expect(notes.startsWith("- More.\n")).toBe(true);
  expect(notes).toContain(`registry.example/owner/tidemark@${DIGEST}`);
  expect(notes).toContain(
    "--certificate-identity https://github.com/owner/tidemark/.github/workflows/release.yml@refs/tags/v0.2.0",
  );
});
