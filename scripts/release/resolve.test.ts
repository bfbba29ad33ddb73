import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/support/processes/temporary-folder.ts";
import { actionCommit } from "./action-commit.ts";
import { imageDigest } from "./image-digest.ts";

const MANIFEST = JSON.stringify({ schemaVersion: 2, manifests: [] });
const DIGEST = `sha256:${createHash("sha256").update(MANIFEST).digest("hex")}`;

/** Starts a registry on loopback. @returns its host and port */
async function startRegistry(answer: (request: IncomingMessage, response: ServerResponse, host: string) => void) {
  const server = createServer((request, response) => answer(request, response, request.headers.host ?? ""));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("imageDigest", () => {
  it("asks for a token where the registry wants one, and for an index of all platforms", async () => {
    const host = await startRegistry(({ url, headers }, response, self) => {
      if (url === "/token?service=test&scope=repository%3Aa%2Fb%3Apull") {
        response.end(JSON.stringify({ token: "secret" }));
      } else if (headers.authorization !== "Bearer secret") {
        const challenge = `Bearer realm="http://${self}/token",service="test",scope="repository:a/b:pull"`;
        response.writeHead(401, { "www-authenticate": challenge }).end();
      } else {
        const isAsked = url === "/v2/a/b/manifests/1.2" && headers.accept?.includes("image.index.v1+json");
        response.writeHead(isAsked ? 200 : 404, { "docker-content-digest": DIGEST }).end(MANIFEST);
      }
    });
    expect(await imageDigest(`${host}/a/b`, "1.2", "http")).toBe(DIGEST);
  });

  it("refuses a digest that isn't the manifest's", async () => {
    const host = await startRegistry((_, response) => {
      response.writeHead(200, { "docker-content-digest": `sha256:${"0".repeat(64)}` }).end(MANIFEST);
    });
    await expect(imageDigest(`${host}/a/b`, "1.2", "http")).rejects.toThrow(`its manifest is ${DIGEST}`);
  });

  it("says what the registry answers", async () => {
    const host = await startRegistry((_, response) => void response.writeHead(404).end());
    await expect(imageDigest(`${host}/a/b`, "1.2", "http")).rejects.toThrow("/v2/a/b/manifests/1.2: 404");
  });
});

describe("actionCommit", () => {
  it("finds the commit of a branch, a tag and an annotated tag", async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const cwd = join(folder.path, "owner", "action");
    const who = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
        env: { ...process.env, ...who },
        encoding: "utf8",
      }).trim();
    git("init", "--quiet", "--initial-branch=main", cwd);
    git("-C", cwd, "commit", "--quiet", "--allow-empty", "--message=one");
    git("-C", cwd, "tag", "v1");
    git("-C", cwd, "tag", "--annotate", "--message=two", "v2");
    const commit = git("-C", cwd, "rev-parse", "HEAD");
    const host = pathToFileURL(folder.path).href;

    for (const version of ["main", "v1", "v2"])
      expect(await actionCommit("owner/action/folder", version, host)).toBe(commit);
    await expect(actionCommit("owner/action", "v3", host)).rejects.toThrow("no tag or branch v3");
    await expect(actionCommit("owner/nothing", "v1", host)).rejects.toThrow("owner/nothing");
  });
});
