import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type ProductionPackage, productionPackages } from "./production-packages.ts";
import { ROOT } from "./test/run-command.ts";

export const LICENCES = join(ROOT, "docs/licences.md");

/** docs/licences.md: the packages that the container image holds, by licence. */
export function licences(packages: readonly ProductionPackage[] = productionPackages()): string {
  const byLicence = Map.groupBy(packages, ({ licence }) => licence ?? "not told");
  const sections = [...byLicence]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([licence, held]) => `## ${licence}\n\n${held.map(({ name, version }) => `- ${name} ${version}`).join("\n")}\n`,
    );
  return `# Licences

What the container image holds beside Tidemark itself (Apache-2.0) and Node: ${packages.length} packages, by the licence that their
package.json names. Made by \`npm run licences\`.

${sections.join("\n")}`;
}

if (process.argv[1] === import.meta.filename) await writeFile(LICENCES, licences());
