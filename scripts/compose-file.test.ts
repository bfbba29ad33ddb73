import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { readComposeFile } from "../test/support/compose-file.ts";
import { temporaryFolder } from "../test/support/temporary-folder.ts";
import { ROOT, runCommand } from "./test/run-command.ts";

const { services, volumes } = readComposeFile();
/** The services that run the image of this repository. */
const own = Object.entries(services).filter(([, { image }]) => image.includes("tidemark"));

describe("deploy/compose.yaml", () => {
  it("runs every component", () => {
    const commands = own.map(([, { command = [], entrypoint = [] }]) => [...entrypoint, ...command].join(" "));
    const names = ["commitments", "auth", "indexer", "entities", "cli"].map((name) => `services/${name}`);
    for (const main of ["gateway", ...names]) {
      expect(commands.join("\n")).toContain(`${main}/main.ts`);
    }
  });

  it.each(own)("gives %s no capabilities and a read-only file system", (_, service) => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(["ALL"]);
    expect(service.security_opt).toEqual(["no-new-privileges:true"]);
  });

  it("mounts only its own secrets in each service", () => {
    const mounted = own
      .filter(([name]) => name !== "secrets")
      .map(([name, service]) => [name, (service.volumes ?? []).filter((volume) => volume.startsWith("secrets-"))]);
    expect(Object.fromEntries(mounted)).toEqual({
      "migrate-commitments": ["secrets-migrations:/secrets:ro"],
      "migrate-auth": ["secrets-migrations:/secrets:ro"],
      "migrate-entities": ["secrets-migrations:/secrets:ro"],
      commitments: ["secrets-commitments:/secrets:ro"],
      auth: ["secrets-auth:/secrets:ro"],
      indexer: ["secrets-indexer:/secrets:ro"],
      entities: ["secrets-entities:/secrets:ro"],
      gateway: ["secrets-gateway:/secrets:ro"],
      tidemark: ["secrets-operator:/secrets:ro"],
    });
  });

  it("gives every caller of a service the service's URL, and the service the caller's key", async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const args = [join(ROOT, "deploy/compose-secrets.ts"), folder.path];
    expect(await runCommand({ command: process.execPath, args, limitMs: 60_000 })).toMatchObject({ ok: true });
    const read = (...path: string[]) => readFile(join(folder.path, ...path), "utf8");

    const calls = own.flatMap(([name, { environment = {} }]) =>
      Object.values(environment).flatMap((value) => {
        const callee = /^http:\/\/(commitments|auth|indexer|entities):\d+$/.exec(value)?.[1];
        return callee === undefined ? [] : [{ caller: name === "tidemark" ? "operator" : name, callee }];
      }),
    );
    for (const { caller, callee } of calls) {
      const keys = (await read(callee, "caller-keys")).split(",");
      expect(keys, `${caller} calls ${callee}`).toContain(`${caller}=${await read(caller, "caller-key")}`);
    }
    const calledBy = (callee: string) => calls.filter((call) => call.callee === callee).map(({ caller }) => caller);
    expect(calledBy("commitments").toSorted()).toEqual(["auth", "entities", "gateway", "indexer", "operator"]);
    expect(calledBy("auth").toSorted()).toEqual(["commitments", "entities", "gateway", "operator"]);
    expect(calledBy("indexer").toSorted()).toEqual(["commitments", "entities", "gateway", "operator"]);
    expect(calledBy("entities").toSorted()).toEqual(["auth", "commitments", "gateway", "operator"]);
  });

  it("declares every volume that it mounts, and publishes ports on 127.0.0.1 only", () => {
    const mounts = Object.values(services).flatMap((service) => service.volumes ?? []);
    const used = new Set(mounts.map((mount) => mount.split(":", 1)[0]));
    expect([...used].toSorted()).toEqual(Object.keys(volumes).toSorted());
    for (const port of Object.values(services).flatMap((service) => service.ports ?? [])) {
      expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it("contains no secret", () => {
    const secret = /(_KEYS?|PASSWORD|MYSQL_URL|SECRET|TOKEN)$/;
    const names = Object.values(services).flatMap(({ environment }) => Object.keys(environment ?? {}));
    expect(names.filter((name) => secret.test(name))).toEqual([]);
  });
});
