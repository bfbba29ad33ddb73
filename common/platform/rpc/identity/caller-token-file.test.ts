import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConfigError, Env } from "../../config/env.ts";
import { readCallerProof } from "./caller-keys.ts";
import { callerTokenFileSource } from "./caller-token-file.ts";

const NOW_MS = 1_800_000_000_000;
const AUDIENCE = "tidemark.auth";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "caller-token-"));
  vi.useFakeTimers({ toFake: ["Date"], now: NOW_MS });
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

/** A JWT with the parts that its holder reads. */
function tokenOf(name: string, lifetimeMs: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "RS256" })}.${part({ jti: name, exp: (NOW_MS + lifetimeMs) / 1_000 })}.AAAA`;
}

/** Replaces the file as a whole, as kubelet does. */
async function put(token: string): Promise<void> {
  await writeFile(join(folder, "new"), `${token}\n`);
  await rename(join(folder, "new"), join(folder, AUDIENCE));
}

describe("callerTokenFileSource", () => {
  const first = tokenOf("first", 600_000);
  const second = tokenOf("second", 1_200_000);
  const clock = { ms: 0 };
  beforeEach(() => {
    clock.ms = 0;
  });
  const source = () => callerTokenFileSource({ tokenFile: join(folder, AUDIENCE) }, () => clock.ms);

  it("gives the file's token, and within a minute the one that replaces it", async () => {
    await put(first);
    const { current } = source();
    expect(await current()).toBe(first);
    await put(second);
    vi.setSystemTime(NOW_MS + 3_600_000);
    expect(await current()).toBe(first);
    vi.setSystemTime(NOW_MS - 3_600_000);
    clock.ms = 30_000;
    expect(await Promise.all([current(), current()])).toEqual([second, second]);
  });

  it("reads the file again where its token was refused", async () => {
    await put(first);
    const token = source();
    await token.current();
    expect(await token.instead(first)).toBe(first);
    await put(second);
    expect(await Promise.all([token.instead(first), token.instead(first)])).toEqual([second, second]);
    expect(await token.instead(first)).toBe(second);
  });

  it("keeps the last one while the file is away or no token, and leaves its end to the service", async () => {
    await put(first);
    const { current } = source();
    await current();
    await rm(join(folder, AUDIENCE));
    clock.ms = 300_000;
    expect(await current()).toBe(first);
    await put("half a tok");
    vi.setSystemTime(NOW_MS + 600_000);
    clock.ms = 600_000;
    expect(await current()).toBe(first);
    await put(second);
    clock.ms = 601_000;
    expect(await current()).toBe(second);
  });

  it("waits for the first one", async () => {
    const { current } = source();
    await expect(current()).rejects.toThrow("there is no caller token");
    await put(first);
    clock.ms = 1_000;
    expect(await current()).toBe(first);
  });
});

describe("readCallerProof", () => {
  const read = (variables: Readonly<Record<string, string>>) =>
    readCallerProof(new Env({ CALLER_TOKEN_DIR: folder, ...variables }), AUDIENCE);

  it("is the file of the audience", async () => {
    await put(tokenOf("first", 1_000));
    expect(read({})).toEqual({ tokenFile: join(folder, AUDIENCE) });
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["with CALLER_NAME", { CALLER_NAME: "gateway" }, "CALLER_TOKEN_DIR: expected either it or CALLER_NAME"],
    ["with CALLER_KEY", { CALLER_KEY: "x" }, "CALLER_TOKEN_DIR: expected either it or CALLER_KEY"],
    ["without the file", {}, "gives ENOENT"],
  ])("refuses to be set %s", (_, variables, message) => {
    expect(() => read(variables)).toThrow(ConfigError);
    expect(() => read(variables)).toThrow(message);
  });

  it("refuses what is no token, and one that has expired, without showing it", async () => {
    await put("a secret");
    expect(() => read({})).toThrow(/^CALLER_TOKEN_DIR: .* holds no JWT$/);
    await put(tokenOf("old", 0));
    expect(() => read({})).toThrow(/^CALLER_TOKEN_DIR: .* has expired$/);
  });
});
