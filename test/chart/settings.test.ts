import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import { selfSignedCertificate, type TlsCertificate } from "../support/processes/tls-certificate.ts";
import {
  ciValues,
  containersOf,
  ofKind,
  podsOf,
  type RenderedPod,
  renderChart,
  valuesFile,
} from "../support/repository/chart.ts";
import { codeSpans, tableRows } from "../support/repository/markdown.ts";
import { readRepository } from "../support/repository/repository.ts";

type Env = Record<string, string>;
/** Source of a projected volume, by its kind. */
type Source = Record<string, { readonly path?: string; readonly items?: readonly { readonly path: string }[] }>;

const documented = new Set(
  tableRows(readRepository("docs/operating.md"), "variable").flatMap(([name = ""]) => codeSpans(name)),
);
/** A variable of Node's own, in ci/everything-values.yaml. */
documented.add("NODE_OPTIONS");

/** The folder in which settings of pods are files, and that of their tokens. */
const MOUNTED = /^\/(etc|var\/run)\/tidemark\//;
const ENDED =
  /"msg":"[a-z ]*listens"|Tidemark is running|^[A-Z_]+: expected|"level":"fatal"|the database doesn't answer/;

describe("the settings that the chart gives", () => {
  let folder: TemporaryFolder;
  let certificate: TlsCertificate;
  beforeAll(async () => {
    [folder, certificate] = await Promise.all([temporaryFolder(), selfSignedCertificate("localhost")]);
  });
  afterAll(() => folder?.remove());

  /** The environment of each container, by the object that it is of. */
  async function environments(name: string): Promise<{ pod: RenderedPod; args: string[]; env: Env }[]> {
    const objects = await renderChart("--values", valuesFile(name));
    const maps = ofKind(objects, "ConfigMap");
    return podsOf(objects)
      .filter(({ owner }) => owner !== "Pod test")
      .flatMap((pod) =>
        containersOf(pod).map(({ args, envFrom = [], env = [] }) => ({
          pod,
          args,
          env: Object.assign(
            {},
            ...envFrom.map(
              ({ configMapRef }: { configMapRef: { name: string } }) =>
                maps.get(configMapRef.name.replace(/^(t-tidemark|sale)-/, ""))?.["data"],
            ),
            ...env.map(({ name: key, value }: { name: string; value: string }) => ({ [key]: value })),
          ),
        })),
      );
  }

  it.each(ciValues)("have names that docs/operating.md has: %s", async (name) => {
    const containers = await environments(name);
    expect(containers.length).toBeGreaterThan(0);
    const unknown = containers.flatMap(({ env }) =>
      Object.keys(env).filter((key) => !documented.has(key) && !documented.has(key.replace(/_FILE$/, ""))),
    );
    expect(unknown).toEqual([]);
  });

  it.each(ciValues)("name only files that are mounted: %s", async (name) => {
    for (const { pod, env } of await environments(name)) {
      const mounted = mountedFiles(pod);
      const named = Object.values(env).filter((value) => MOUNTED.test(value) && !value.endsWith("/tokens"));
      expect(
        named.filter((path) => !mounted.includes(path)),
        pod.owner,
      ).toEqual([]);
      if (env["CALLER_TOKEN_DIR"]) {
        expect(
          mounted.some((path) => path.startsWith(`${env["CALLER_TOKEN_DIR"]}/`)),
          pod.owner,
        ).toBe(true);
      }
    }
  });

  it.each(ciValues)("are taken by the components: %s", async (name) => {
    for (const { pod, args, env } of await environments(name)) {
      if (!pod.owner.startsWith("Deployment") || args.length !== 1) continue;
      const here = await onThisMachine(env, pod);
      const running = await startProcess({ command: process.execPath, args, env: here, ready: ENDED });
      const output = running.output();
      await running.kill();
      // The database and the other services aren't there, which only shows once the settings were taken.
      expect(output, `${pod.owner}: ${output}`).not.toMatch(/^[A-Z_]+: expected/m);
      expect(output, pod.owner).toMatch(/listens"|Tidemark is running|ECONNREFUSED|ENOTFOUND|EAI_AGAIN/);
    }
  });

  function mountedFiles({ spec }: RenderedPod): string[] {
    const folders: Record<string, string> = {
      settings: "/etc/tidemark",
      tokens: "/var/run/tidemark/tokens",
      "issuer-token": "/var/run/tidemark/issuer",
    };
    return spec["volumes"].flatMap(({ name, projected }: { name: string; projected?: { sources: Source[] } }) =>
      (projected?.sources ?? []).flatMap((source) => {
        const { path, items = [] } = Object.values(source)[0] ?? {};
        return [...items.map((item) => item.path), ...(path === undefined ? [] : [path])].map(
          (file) => `${folders[name]}/${file}`,
        );
      }),
    );
  }

  /** The same settings with free ports, and files of good content in place of the mounted ones. */
  async function onThisMachine(env: Env, pod: RenderedPod): Promise<Env> {
    const root = join(folder.path, pod.owner.replace(" ", "-"));
    for (const path of mountedFiles(pod)) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), await contentOf(path));
    }
    const ports = ["ADMIN_PORT", "GATEWAY_PORT", "COMMITMENTS_PORT", "INDEXER_PORT", "AUTH_PORT", "ENTITIES_PORT"];
    return {
      ...Object.fromEntries(
        Object.entries(env).map(([key, value]) => [key, MOUNTED.test(value) ? join(root, value) : value]),
      ),
      ...Object.fromEntries(ports.map((port) => [port, "0"])),
      HOST: "127.0.0.1",
      ...(env["DATA_DIR"] !== undefined && { DATA_DIR: join(root, "data"), DEMO_APP_PORT: "0", MAIL_PAGE_PORT: "0" }),
    };
  }

  async function contentOf(path: string): Promise<string> {
    const file = path.slice(path.lastIndexOf("/") + 1);
    const key = generateCallerKey().text;
    if (/tokens\/|issuer\/token$/.test(path)) return projectedToken(file);
    if (file === "tls.key") return certificate.key;
    if (file.endsWith(".crt")) return certificate.cert;
    const known: Record<string, string> = {
      "mysql-url": "mysql://user:password@localhost:1/tidemark",
      "smtp-url": "smtp://127.0.0.1:1",
      "chains.json": JSON.stringify({ local: { kind: "evm", chainId: 1, urls: ["http://127.0.0.1:1"] } }),
      "jwks.json": JSON.stringify({ keys: [] }),
      "key-encryption-key": key,
      "key-encryption-key-other": key,
      "identity-webhook-secret": `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
      "permit-signer-secret": `whsec_${Buffer.alloc(32, 2).toString("base64")}`,
      "caller-key": key,
      "caller-keys": `operator=${key}`,
      "otlp-headers": "authorization=secret",
    };
    return known[file] ?? "value";
  }
});

function projectedToken(audience: string): Promise<string> {
  const token = new SignJWT({ sub: "system:serviceaccount:shop:t-tidemark-gateway" }).setProtectedHeader({
    alg: "HS256",
  });
  return token.setAudience(audience).setExpirationTime("1h").sign(Buffer.alloc(32));
}
