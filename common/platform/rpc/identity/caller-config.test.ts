import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ConfigError, Env } from "../../config/env.ts";
import { readKnownCallers } from "./caller-config.ts";
import { generateCallerKey } from "./caller-keys.ts";

const JWKS = JSON.stringify({ keys: [] });
const GOOD = {
  CALLER_TOKEN_ISSUER: "https://issuer.example",
  CALLER_TOKEN_JWKS: JWKS,
  CALLER_SUBJECTS: "gateway=system:serviceaccount:a:gateway, indexer=system:serviceaccount:a:indexer=1\n",
};
const URL_GOOD = { ...GOOD, CALLER_TOKEN_JWKS: "", CALLER_TOKEN_JWKS_URL: "https://issuer.example/jwks" };

describe("readKnownCallers", () => {
  it("reads keys, an issuer, or both", () => {
    const { text } = generateCallerKey();
    expect(readKnownCallers(new Env({ CALLER_KEYS: `gateway=${text}` })).callerIssuer).toBeUndefined();
    const both = readKnownCallers(new Env({ ...GOOD, CALLER_KEYS: `gateway=${text}` }));
    expect([...both.callerKeys.keys()]).toEqual(["gateway"]);
    const { callerKeys, callerIssuer } = readKnownCallers(new Env(GOOD));
    expect(callerKeys.size).toBe(0);
    expect(callerIssuer?.issuer).toBe("https://issuer.example");
    expect([...(callerIssuer?.subjects ?? [])]).toEqual([
      ["system:serviceaccount:a:gateway", "gateway"],
      ["system:serviceaccount:a:indexer=1", "indexer"],
    ]);
  });

  it("reads a JWKS file anew, as it may be replaced", async () => {
    const folder = await mkdtemp(join(tmpdir(), "callers-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "jwks.json");
    await writeFile(file, JWKS);
    const env = new Env({ ...GOOD, CALLER_TOKEN_JWKS: "", CALLER_TOKEN_JWKS_FILE: file });
    const { callerIssuer } = readKnownCallers(env);
    await writeFile(file, JSON.stringify({ keys: [{ kid: "new" }] }));
    expect(await callerIssuer?.jwks()).toEqual({ keys: [{ kid: "new" }] });
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["nothing", {}, "CALLER_KEYS: expected name=key of each caller, or CALLER_TOKEN_ISSUER"],
    ["subjects without an issuer", { ...GOOD, CALLER_TOKEN_ISSUER: "" }, "CALLER_TOKEN_ISSUER: expected the issuer"],
    ["a URL without an issuer", { CALLER_TOKEN_JWKS_URL: "https://a.example" }, "as CALLER_TOKEN_JWKS_URL is set"],
    ["an issuer with a space", { ...GOOD, CALLER_TOKEN_ISSUER: "an issuer" }, "CALLER_TOKEN_ISSUER: "],
    ["no keys of the issuer", { ...GOOD, CALLER_TOKEN_JWKS: "" }, "CALLER_TOKEN_JWKS: expected either"],
    ["two sources of keys", { ...URL_GOOD, CALLER_TOKEN_JWKS: JWKS }, "CALLER_TOKEN_JWKS: expected either"],
    ["keys that are no JWKS", { ...GOOD, CALLER_TOKEN_JWKS: "{}" }, "CALLER_TOKEN_JWKS: expected a JSON Web Key Set"],
    ["keys that are no JSON", { ...GOOD, CALLER_TOKEN_JWKS: "keys" }, "CALLER_TOKEN_JWKS: expected a JSON Web Key Set"],
    ["keys by http", { ...URL_GOOD, CALLER_TOKEN_JWKS_URL: "http://issuer.example" }, "CALLER_TOKEN_JWKS_URL: "],
    ["a CA that is none", { ...URL_GOOD, CALLER_TOKEN_CA: "x" }, "CALLER_TOKEN_CA: expected certificates in PEM"],
    ["a bearer without a URL", { ...GOOD, CALLER_TOKEN_JWKS_BEARER: "x" }, "CALLER_TOKEN_JWKS_BEARER: expected only"],
    ["no subjects", { ...GOOD, CALLER_SUBJECTS: "" }, "CALLER_SUBJECTS: "],
    ["only separators", { ...GOOD, CALLER_SUBJECTS: ",," }, "CALLER_SUBJECTS: expected name=subject of at least one"],
    [
      "a subject without a name",
      { ...GOOD, CALLER_SUBJECTS: "=x" },
      "CALLER_SUBJECTS: expected name=subject in entry 1",
    ],
    ["a name without a subject", { ...GOOD, CALLER_SUBJECTS: "a=b,gateway=" }, "expected name=subject in entry 2"],
    ["a subject with a space", { ...GOOD, CALLER_SUBJECTS: "a=b c" }, "expected name=subject in entry 1"],
    ["a subject with two names", { ...GOOD, CALLER_SUBJECTS: "a=x,b=x" }, "entry 2 repeats one"],
  ])("refuses %s", (_, variables, message) => {
    const read = () => readKnownCallers(new Env(variables));
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(message);
  });
});
