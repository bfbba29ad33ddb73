import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { TokenIssuer } from "../../../../test/support/processes/token-issuer.ts";
import { Env } from "../../config/env.ts";
import { readCallerIssuer } from "../../rpc/identity/caller-config.ts";
import { serviceIssuer } from "../../testing/service-issuer.ts";
import { runProbes } from "../run-probes.ts";
import { issuerKeysProbe } from "./issuer-keys-probe.ts";

async function check(variables: Readonly<Record<string, string>>) {
  const findings = await runProbes([issuerKeysProbe(() => readCallerIssuer(new Env(variables)))]);
  return findings.map(({ level, text, remedy }) => `${level}: ${text}${remedy === undefined ? "" : ` (${remedy})`}`);
}

const GIVEN = { CALLER_TOKEN_ISSUER: "https://issuer.example", CALLER_SUBJECTS: "gateway=system:gateway" };

it("loads the keys of the issuer as the service does", async () => {
  const folder = await mkdtemp(join(tmpdir(), "issuer-"));
  const issuer = await TokenIssuer.start(folder);
  onTestFinished(async () => {
    await issuer.stop();
    await rm(folder, { recursive: true });
  });
  const env = issuer.serverEnv("auth");
  expect(await check(env)).toEqual([
    "ok: 1 of them can be used",
    expect.stringMatching(/^(ok|warning): the certificate ends in /),
  ]);
  const { CALLER_TOKEN_JWKS_BEARER_FILE: _, ...anonymous } = env;
  expect(await check(anonymous)).toEqual([
    expect.stringMatching(/^failed: .* answers 401 \(.*CALLER_TOKEN_JWKS_BEARER/),
  ]);
  const { CALLER_TOKEN_CA_FILE: __, ...untrusting } = env;
  expect(await check(untrusting)).toEqual([
    expect.stringMatching(/^failed: nobody whom this process trusts has signed/),
  ]);
  expect(await check({ ...env, CALLER_TOKEN_JWKS_BEARER_FILE: join(folder, "none") })).toEqual([
    expect.stringMatching(/^failed: CALLER_TOKEN_JWKS_BEARER_FILE: /),
  ]);
});

it("judges keys that a setting has", async () => {
  const { jwk } = await serviceIssuer();
  expect(await check({ ...GIVEN, CALLER_TOKEN_JWKS: JSON.stringify({ keys: [jwk] }) })).toEqual([
    "ok: 1 of them can be used",
  ]);
  expect(await check({ ...GIVEN, CALLER_TOKEN_JWKS: '{"keys":[]}' })).toEqual([
    "failed: there is none for RS256 or ES256 with an ID (look whether a JSON Web Key Set is there)",
  ]);
  expect(await check({})).toEqual(["ok: aren't used, as CALLER_TOKEN_ISSUER isn't set"]);
});
