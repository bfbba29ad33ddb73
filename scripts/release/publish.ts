import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { ROOT } from "../test/run-command.ts";
import { COSIGN, HELM } from "../test/tools.ts";
import { chartsName, imageName, type ReleaseFile } from "./release-file.ts";
import type { Shell } from "./shell.ts";

/** Platforms of the image, as docker names them. */
const PLATFORMS = "linux/amd64,linux/arm64";
const BUILDER = "tidemark-release";
const CHART = join(ROOT, "deploy/helm/tidemark");
const ICON = "gateway/web/pages/icon.svg";
/** Placeholder for a digest in a dry run, which pushes nothing that would have one. */
export const UNKNOWN_DIGEST = "sha256:…";

/** A version to publish, and where. */
export interface Publication {
  readonly file: ReleaseFile;
  readonly version: string;
  /** Seconds since 1970 of the commit: the time in the image's description. */
  readonly committed: string;
  /** Account of the registry. */
  readonly user: string;
  readonly password: string;
  /** A folder for the files that are made on the way. */
  readonly folder: string;
}

/** Signs docker, cosign and helm in to the registry; cosign reads docker's credentials. */
export async function signIn({ file, user, password }: Publication, shell: Shell): Promise<void> {
  const args = ["login", file.imageRegistry, "--username", user, "--password-stdin"];
  await shell.run("docker", args, { input: password });
  await shell.run(await shell.tool(HELM), ["registry", ...args], { input: password });
}

/**
 * Builds the image for all platforms with provenance and a list of its packages, pushes it, and signs it. The list of npm packages
 * is attached too.
 *
 * @returns the digest of its index, by which the chart names it
 */
export async function publishImage({ file, version, committed, folder }: Publication, shell: Shell): Promise<string> {
  const name = imageName(file);
  const metadata = join(folder, "image.json");
  const builder = ["--name", BUILDER, "--driver", "docker-container", "--driver-opt", `image=${file.buildkit}`];
  await shell.run("docker", ["buildx", "create", ...builder]);
  await shell.run("docker", [
    ...["buildx", "build", "--builder", BUILDER, "--file", "deploy/Dockerfile", "--platform", PLATFORMS],
    ...["--build-arg", `SOURCE_DATE_EPOCH=${committed}`, "--label", `org.opencontainers.image.source=${file.home}`],
    ...["--label", `org.opencontainers.image.version=${version}`],
    ...["--attest", "type=provenance,mode=max", "--attest", `type=sbom,generator=${file.sbomGenerator}`],
    ...["--output", `type=image,name=${name}:${version},push=true,oci-mediatypes=true,rewrite-timestamp=true`],
    ...["--metadata-file", metadata, "."],
  ]);
  const digest = shell.dryRun ? UNKNOWN_DIGEST : imageDigestIn(await readFile(metadata, "utf8"));
  const cosign = await shell.tool(COSIGN);
  await shell.run(cosign, ["sign", "--yes", "--recursive", `${name}@${digest}`]);
  const packages = join(folder, "npm-packages.cdx.json");
  await listPackages(packages, shell);
  const predicate = ["--type", "cyclonedx", "--predicate", packages];
  await shell.run(cosign, ["attest", "--yes", ...predicate, `${name}@${digest}`]);
  return digest;
}

/** Writes the list of the image's npm packages (CycloneDX) to a file. */
export async function listPackages(path: string, shell: Shell): Promise<void> {
  const omitted = ["--omit", "dev", "--omit", "optional", "--omit", "peer"];
  const format = ["--sbom-format", "cyclonedx", "--sbom-type", "application"];
  await shell.run("npm", ["sbom", "--package-lock-only", ...format, ...omitted], { outputFile: path });
}

/** Packages the chart with the image's digest as its default, pushes it, and signs it. @returns the digest of its manifest */
export async function publishChart(publication: Publication, image: string, shell: Shell): Promise<string> {
  const { file, version, folder } = publication;
  const chart = join(folder, "tidemark");
  await writeReleasedChart(chart, { file, version }, image);
  const helm = await shell.tool(HELM);
  await shell.run(helm, ["package", chart, "--version", version, "--app-version", version, "--destination", folder]);
  const archive = join(folder, `tidemark-${version}.tgz`);
  // Helm prints what it pushed on standard error.
  const pushed = await shell.run(helm, ["push", archive, `oci://${chartsName(file)}`], { withErrors: true });
  const digest = shell.dryRun ? UNKNOWN_DIGEST : chartDigestIn(pushed);
  await shell.run(await shell.tool(COSIGN), ["sign", "--yes", `${chartsName(file)}/tidemark@${digest}`]);
  return digest;
}

/**
 * Copies the chart, with the released image, the addresses of the repository, of its runbook and of its icon, and the owner as
 * maintainer in it. Comments stay.
 */
export async function writeReleasedChart(
  target: string,
  { file, version }: Pick<Publication, "file" | "version">,
  image: string,
): Promise<void> {
  await cp(CHART, target, { recursive: true });
  await editYaml(join(target, "values.yaml"), [
    [["image", "repository"], imageName(file)],
    [["image", "digest"], image],
    [["monitoring", "runbookUrl"], `${file.home}/blob/v${version}/docs/alerts.md`],
  ]);
  await editYaml(join(target, "Chart.yaml"), [
    [["home"], file.home],
    [["sources"], [file.home]],
    [["icon"], `${file.home}/raw/v${version}/${ICON}`],
    [["maintainers"], [{ name: file.scope, url: file.home }]],
  ]);
}

async function editYaml(path: string, values: readonly (readonly [readonly string[], unknown])[]): Promise<void> {
  const document = parseDocument(await readFile(path, "utf8"));
  for (const [at, value] of values) document.setIn(at, value);
  await writeFile(path, document.toString({ lineWidth: 0 }));
}

/** The index's digest in the file that `docker buildx build --metadata-file` writes. @throws Error if it has none */
export function imageDigestIn(metadata: string): string {
  return digestOf(JSON.parse(metadata)["containerimage.digest"], metadata);
}

/** The manifest's digest in what `helm push` prints. @throws Error if it has none */
export function chartDigestIn(output: string): string {
  return digestOf(/^Digest: (\S+)$/m.exec(output)?.[1], output);
}

function digestOf(digest: unknown, text: string): string {
  if (typeof digest === "string" && /^sha256:[0-9a-f]{64}$/.test(digest)) return digest;
  throw new Error(`there is no digest in ${text}`);
}
