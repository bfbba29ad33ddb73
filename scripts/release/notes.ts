import { join } from "node:path";
import { writeImageTar } from "../image-tar.ts";
import type { ChangelogSection } from "./changelog.ts";
import { listPackages } from "./publish.ts";
import { chartsName, imageName, type ReleaseFile } from "./release-file.ts";
import type { Shell } from "./shell.ts";

const WORKFLOW = ".github/workflows/release.yml";

/** Digests of what was published. */
export interface Digests {
  readonly image: string;
  readonly chart: string;
}

/** Notes of a release: its section of the changelog, what was published, and how to check it. */
export function releaseNotes(
  file: ReleaseFile,
  { version, text }: ChangelogSection,
  { image, chart }: Digests,
): string {
  const identity = `--certificate-identity ${file.home}/${WORKFLOW}@refs/tags/v${version}`;
  const issuer = "--certificate-oidc-issuer https://token.actions.githubusercontent.com";
  const verify = (name: string) => `cosign verify ${identity} \\\n  ${issuer} \\\n  ${name}`;
  return `${text}

## Image and chart

- Image for amd64 and arm64: \`${imageName(file)}@${image}\`
- Chart, which names that image: \`oci://${chartsName(file)}/tidemark\`, version ${version}, \`${chart}\`

\`\`\`sh
${verify(`${imageName(file)}@${image}`)}
${verify(`${chartsName(file)}/tidemark@${chart}`)}
\`\`\`

\`tidemark-${version}-image.tar\` is what the image has below \`/app\`; \`node scripts/image-tar.ts FILE\` at the tag writes the same bytes.
`;
}

/** Creates the release of the tag with its notes and files. */
export async function publishNotes(folder: string, version: string, notes: string, shell: Shell): Promise<void> {
  const tar = join(folder, `tidemark-${version}-image.tar`);
  const packages = join(folder, `tidemark-${version}-npm-packages.cdx.json`);
  if (!shell.dryRun) await writeImageTar(tar);
  await listPackages(packages, shell);
  const title = ["--title", `Tidemark ${version}`, "--notes-file", "-"];
  await shell.run("gh", ["release", "create", `v${version}`, "--verify-tag", ...title, tar, packages], {
    input: notes,
  });
}
