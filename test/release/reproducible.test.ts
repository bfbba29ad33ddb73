import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { REPOSITORY_ROOT } from "../support/repository/repository.ts";

/** Like the first stage of deploy/Dockerfile. */
const INSTALL = "npm ci --omit=dev --omit=optional --omit=peer --ignore-scripts --no-audit --no-fund --prefer-offline";

/** Copies what git tracks, installs the packages, and writes the image's files as a tar, all with another umask and time zone. */
function build(folder: string, file: string, umask: string, zone: string): Buffer {
  const tracked = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: REPOSITORY_ROOT,
    encoding: "utf8",
  });
  for (const path of tracked.split("\0").filter((each) => each !== "" && !each.endsWith(".test.ts"))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(REPOSITORY_ROOT, path), join(folder, path));
  }
  const command = `umask ${umask} && ${INSTALL} && "${process.execPath}" scripts/image-tar.ts "${file}"`;
  execFileSync("sh", ["-c", command], { cwd: folder, env: { ...process.env, TZ: zone }, stdio: "pipe" });
  return readFileSync(file);
}

it("two builds of the image's files give the same tar, byte for byte", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const inFolder = (name: string) => join(folder.path, name);
  const one = build(inFolder("one"), inFolder("one.tar"), "022", "UTC");
  const other = build(inFolder("a-longer-name/other"), inFolder("other.tar"), "077", "Pacific/Auckland");
  const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  expect(sha256(other)).toBe(sha256(one));

  const listed = execFileSync("tar", ["--list", "--verbose", "--utc", "--file", inFolder("one.tar")], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const lines = listed.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(1_000);
  expect(lines.filter((line) => !/^(?:drwxr-xr-x|-rw-r--r--) 0\/0 +\d+ 1970-01-01 00:00 app\//.test(line))).toEqual([]);
  expect(listed).toContain(" app/gateway/main.ts\n");
});
