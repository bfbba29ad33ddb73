import { execFile } from "node:child_process";
import { chmod, chown, copyFile, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { writeImageTar } from "../../../scripts/image-tar.ts";
import { describeImage } from "../../support/repository/image-description.ts";
import { clusterProgram } from "../support/programs.ts";
import { type ImageFiles, layOutFiles } from "./image-layout.ts";

const run = promisify(execFile);

/** Packages of the base image of deploy/Dockerfile, beside Node; this Node needs libatomic1, too. */
export const BASE_PACKAGES = ["libc6", "libstdc++6", "libgcc-s1", "libatomic1", "ca-certificates"];

/** Made by a package's installation, so no package lists it. */
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

const DOCUMENTATION = /^\/usr\/share\/(?:doc|man|lintian)\//;

/** The image of deploy/Dockerfile on a base of this machine's Debian packages and the Node that runs this. */
export async function tidemarkImage(folder: string): Promise<ImageFiles> {
  await mkdir(folder);
  const [base, app] = [join(folder, "base.tar"), join(folder, "app.tar")];
  const { entrypoint, command, env, user, group } = describeImage();
  await writeBase(join(folder, "base"), base, entrypoint[0] ?? "");
  await writeImageTar(app);
  const cache = join(folder, "compile-cache.tar");
  await writeCompileCache(join(folder, "base"), app, cache);
  return layOutFiles(folder, [base, app, cache], {
    User: `${user}:${group}`,
    Env: Object.entries({ PATH: "/usr/bin:/bin", ...env }).map(([name, value]) => `${name}=${value}`),
    Entrypoint: entrypoint,
    Cmd: command,
    WorkingDir: "/app",
  });
}

/** An image of one program that needs no other file: `pause`, which holds the namespaces of each pod, or an ingress controller. */
export async function programImage(name: "pause" | "traefik", folder: string): Promise<ImageFiles> {
  await mkdir(folder);
  const layer = join(folder, "layer.tar");
  const program = clusterProgram(name);
  await tar("--create", "--file", layer, "--owner=0", "--group=0", "--directory", dirname(program), basename(program));
  return layOutFiles(folder, [layer], { Entrypoint: [`/${basename(program)}`] });
}

async function writeBase(root: string, file: string, node: string): Promise<void> {
  await mkdir(root);
  const list = join(root, "..", "base-files");
  await writeFile(list, `${(await baseFiles()).map((path) => path.slice(1)).join("\n")}\n`);
  const copied = join(root, "..", "copied.tar");
  await tar("--create", "--file", copied, "--directory", "/", "--no-recursion", "--files-from", list);
  await tar("--extract", "--file", copied, "--directory", root);
  await rm(copied);
  await mkdir(dirname(join(root, node)), { recursive: true });
  await copyFile(process.execPath, join(root, node));
  await mkdir(join(root, "tmp"));
  await chmod(join(root, "tmp"), 0o1777);
  await writeFile(
    join(root, "etc/passwd"),
    "root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532::/home/nonroot:\n",
  );
  await chmod(root, 0o755);
  await tar("--create", "--file", file, "--owner=0", "--group=0", "--numeric-owner", "--directory", root, ".");
}

/** Fills Node's compile cache as deploy/Dockerfile does: in the image, as its user. @param root of the base image, used up by it */
async function writeCompileCache(root: string, app: string, file: string): Promise<void> {
  const { user, group, env, entrypoint } = describeImage();
  const cache = env["NODE_COMPILE_CACHE"] ?? "";
  await tar("--extract", "--file", app, "--directory", root);
  for (const name of ["proc", "dev"]) await mkdir(join(root, name), { recursive: true });
  await mkdir(join(root, cache));
  await chown(join(root, cache), user, group);
  const mounts = ["proc", "dev"].map((name) => `mount --rbind /${name} ${join(root, name)}`).join(" && ");
  const chroot = `exec chroot --userspec=${user}:${group} ${root} ${entrypoint[0]} /app/deploy/fill-compile-cache.ts ${cache}`;
  const environment = { PATH: process.env["PATH"] ?? "", NODE_OPTIONS: env["NODE_OPTIONS"] ?? "" };
  // The mounts end with their namespace.
  await run("unshare", ["--mount", "sh", "-c", `${mounts} && ${chroot}`], { env: environment });
  await tar(
    "--create",
    "--file",
    file,
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--directory",
    root,
    cache.slice(1),
  );
}

async function baseFiles(): Promise<readonly string[]> {
  const { stdout } = await run("dpkg-query", ["--listfiles", ...BASE_PACKAGES], { maxBuffer: 2 ** 24 });
  const paths = [...new Set(stdout.split("\n")), CERTIFICATES].filter(
    (path) => path.startsWith("/") && !DOCUMENTATION.test(path),
  );
  const kept: string[] = [];
  for (const path of paths) if (await isFile(path)) kept.push(path);
  return kept;
}

/** `/lib` is a link to a folder here; in the image, files lie where their packages put them. */
async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function tar(...args: readonly string[]): Promise<void> {
  await run("tar", args);
}
