import { globSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../test/support/processes/temporary-folder.ts";
import { readRepository } from "../test/support/repository/repository.ts";
import { buildProtoImage, compareWithBaseline, PROTO_BASELINE } from "./proto-baseline.ts";
import { ROOT } from "./test/run-command.ts";

const PROTO = "proto/tidemark/commitments/v1/commitment.proto";

/** Compares the baseline with protos in one of which a text is replaced. */
async function compareChanged(before: string | RegExp, after: string) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  await cp(join(ROOT, "proto"), join(folder.path, "proto"), { recursive: true });
  await writeFile(join(folder.path, "buf.yaml"), readRepository("buf.yaml"));
  const path = join(folder.path, PROTO);
  const text = await readFile(path, "utf8");
  expect(text).toMatch(before);
  await writeFile(path, text.replace(before, after));
  const image = join(folder.path, "changed.binpb");
  expect(await buildProtoImage(folder.path, image)).toEqual({ ok: true, output: "" });
  return compareWithBaseline(image);
}

it.each([
  ["a removed field", "  bytes commitment_id = 1;", ""],
  ["a changed type", "  bytes commitment_id = 1;", "  string commitment_id = 1;"],
  ["a changed number", "  bytes commitment_id = 1;", "  bytes commitment_id = 100000;"],
])("finds %s", async (_case, before, after) => {
  const result = await compareChanged(before, after);
  expect(result.ok, result.output).toBe(false);
  expect(result.output).toContain("commitment.proto");
});

it("allows a new field", async () => {
  const added = await compareChanged(/^( {2}bytes commitment_id = 1;)$/m, "$1\n  string planted = 100000;");
  expect(added).toEqual({ ok: true, output: "" });
});

it("knows every package, as a break is found in those only", async () => {
  const baseline = fromBinary(FileDescriptorSetSchema, await readFile(PROTO_BASELINE));
  const known = baseline.file.map((file) => file.package);
  const packages = globSync("proto/tidemark/*/*/", { cwd: ROOT }).map(packageOf);
  expect(packages.length).toBeGreaterThan(3);
  expect(known).toEqual(expect.arrayContaining(packages));
});

/** Returns the package of the protos in a folder. */
function packageOf(folder: string): string {
  return folder.split("/").slice(1, 4).join(".");
}
