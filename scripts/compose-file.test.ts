import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../test/support/processes/temporary-folder.ts";
import { readComposeFile } from "../test/support/repository/compose-file.ts";
import { ROOT, runCommand } from "./test/run-command.ts";

const { services, volumes } = readComposeFile();
/** The services that run the image of this repository. */
const own = Object.entries(services).filter(([, { image }]) => image.includes("tidemark"));

/** Runs `compose-secrets.ts`. @param number of the keys from now on */
function writeSecrets(folder: string, ...number: string[]) {
  const args = [join(ROOT, "deploy/compose-secrets.ts"), folder, ...number];
  return runCommand({ command: process.execPath, args, limitMs: 60_000 });
}

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

  it("changes the keys of all services that have one, and gives them the former ones beside", async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const withKeys = own.filter(([, { environment }]) => environment?.["KEY_ENCRYPTION_KEY_FILE"] !== undefined);
    expect(withKeys.map(([name]) => name)).toEqual(["commitments", "auth", "entities"]);
    for (const [name, { environment }] of withKeys) {
      expect(environment?.["KEY_ENCRYPTION_KEY_OTHER_FILE"], name).toMatch(/^\$\{KEY_ENCRYPTION_KEY_OTHER_FILE:-\}$/);
    }
    const read = (name: string, file: string) => readFile(join(folder.path, name, file), "utf8").catch(() => undefined);
    const written = async (...number: string[]) => {
      expect(await writeSecrets(folder.path, ...number)).toMatchObject({ ok: true });
      const keys = withKeys.map(async ([name]) => ({
        present: await read(name, "key-encryption-key"),
        other: await read(name, "key-encryption-key-other"),
      }));
      return { keys: await Promise.all(keys), callers: await read("auth", "caller-keys") };
    };
    const first = await written();
    expect(first.keys.map(({ other }) => other)).toEqual([undefined, undefined, undefined]);
    const second = await written("2");
    expect(second.keys.map(({ other }) => other)).toEqual(first.keys.map(({ present }) => present));
    expect(new Set([...first.keys, ...second.keys].map(({ present }) => present)).size).toBe(6);
    expect(second.callers).toBe(first.callers);
    expect(await written("2")).toEqual(second);
    expect(await written()).toEqual(second);
    const back = await written("1");
    expect(back.keys).toEqual(second.keys.map(({ present, other }) => ({ present: other, other: present })));
    expect(await writeSecrets(folder.path, "0")).toMatchObject({ ok: false });
  });

  it("gives every caller of a service the service's URL, and the service the caller's key", async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    expect(await writeSecrets(folder.path)).toMatchObject({ ok: true });
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
