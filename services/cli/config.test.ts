import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SignJWT } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { ConfigError, Env } from "../../common/platform/config/env.ts";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { temporaryFolder } from "../../test/support/processes/temporary-folder.ts";
import { cliConfig } from "./config.ts";

const { key, text } = generateCallerKey();
const forGateways = generateCallerKey();

async function folder(): Promise<string> {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  return path;
}

describe("cliConfig", () => {
  it("takes name, key and addresses from the environment", () => {
    const urls = {
      COMMITMENTS_URL: "https://a",
      INDEXER_URL: "https://b,https://b2",
      AUTH_RPC_URL: "https://c,https://c2",
      ENTITIES_URL: "https://d, https://d2",
      GATEWAY_RPC_URL: "https://e",
    };
    const variables = { CALLER_NAME: "me", CALLER_KEY: text, GATEWAY_CALLER_KEY: forGateways.text, ...urls };
    expect(cliConfig(new Env(variables))).toEqual({
      commitments: {
        url: ["https://a/"],
        caller: { name: "me", key: Buffer.from(key), audience: "tidemark.commitments" },
      },
      indexer: {
        url: ["https://b/", "https://b2/"],
        caller: { name: "me", key: Buffer.from(key), audience: "tidemark.indexer" },
      },
      auth: {
        url: ["https://c/", "https://c2/"],
        caller: { name: "me", key: Buffer.from(key), audience: "tidemark.auth" },
      },
      entities: {
        url: ["https://d/", "https://d2/"],
        caller: { name: "me", key: Buffer.from(key), audience: "tidemark.entities" },
      },
      gateway: {
        url: ["https://e/"],
        caller: { name: "operator", key: Buffer.from(forGateways.key), audience: "tidemark.gateway" },
      },
      connectRetryMs: 0,
    });
  });

  it("uses the key of the embedded process if none is set", async () => {
    const path = await folder();
    await writeFile(join(path, "operator.key"), `${text}\n`);
    const { commitments, indexer, auth, entities } = cliConfig(new Env({ DATA_DIR: path }));
    expect([commitments, indexer, auth, entities].map(({ url }) => url)).toEqual([
      ["http://127.0.0.1:8081/"],
      ["http://127.0.0.1:8082/"],
      ["http://127.0.0.1:8083/"],
      ["http://127.0.0.1:8084/"],
    ]);
    expect(commitments.caller).toMatchObject({ name: "operator", key: Buffer.from(key) });
  });

  it("shows gateways, which face the Internet, no key that opens anything else", async () => {
    const gateways = (more: Record<string, string>) =>
      cliConfig(new Env({ GATEWAY_RPC_URL: "https://e", ...more })).gateway?.caller;
    expect(() => gateways({ CALLER_KEY: text })).toThrow("GATEWAY_CALLER_KEY: expected a key that opens gateways only");
    expect(() => gateways({ CALLER_KEY: text, GATEWAY_CALLER_KEY: text })).toThrow("another one than CALLER_KEY");
    expect(() => gateways({ CALLER_KEY: text, GATEWAY_CALLER_KEY: "short" })).toThrow(
      "GATEWAY_CALLER_KEY: expected 32",
    );
    // Tokens of an issuer are made for one audience, and any service can verify them by public keys.
    const path = await folder();
    const token = await new SignJWT({}).setProtectedHeader({ alg: "HS256" }).setExpirationTime("1h").sign(key);
    for (const name of ["commitments", "indexer", "auth", "entities", "gateway"])
      await writeFile(join(path, `tidemark.${name}`), token);
    const byToken = { tokenFile: join(path, "tidemark.gateway") };
    expect(gateways({ CALLER_TOKEN_DIR: path })).toEqual(byToken);
    expect(gateways({ CALLER_TOKEN_DIR: path, GATEWAY_CALLER_KEY: text })).toMatchObject({ name: "operator" });
  });

  it("requires a key", async () => {
    const DATA_DIR = await folder();
    expect(() => cliConfig(new Env({ DATA_DIR }))).toThrow(ConfigError);
    expect(() => cliConfig(new Env({ DATA_DIR }))).toThrow("CALLER_KEY: expected a key, or a running npm start");
  });
});
