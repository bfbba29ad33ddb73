import { generateKeyPairSync, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { openStore } from "../../../services/auth/base/open-store.ts";
import { pngImage } from "../../../services/auth/testing/images.ts";
import { givePasskey } from "../../../services/auth/testing/passkey-holder.ts";
import { type AuthProcess, generateAuthCallerKeys, startAuthProcess } from "../../support/processes/auth-process.ts";
import { runCliProcess } from "../../support/processes/cli.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { draftSale } from "../../support/sales/sale-messages.ts";

describe("the operator's command, against an auth process", () => {
  const keys = generateAuthCallerKeys();
  const authKey = generateCallerKey();
  let folder: TemporaryFolder;
  let commitments: CommitmentsProcess;
  let auth: AuthProcess;
  let square: string;
  let wide: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    commitments = await startCommitmentsProcess({ DATA_DIR: folder.path }, { otherCallers: { auth: authKey.text } });
    auth = await startAuthProcess(
      {
        DATA_DIR: folder.path,
        AUTH_URL: "https://auth.example",
        KEY_ENCRYPTION_KEY: generateCallerKey().text,
        MAIL_DIR: join(folder.path, "mail"),
        COMMITMENTS_URL: commitments.url,
        CALLER_KEY: authKey.text,
      },
      keys,
    );
    [square, wide] = [join(folder.path, "square.png"), join(folder.path, "wide.png")];
    await Promise.all([writeFile(square, pngImage(64, 64)), writeFile(wide, pngImage(192, 64))]);
  });
  afterAll(async () => {
    await auth?.process.kill();
    await commitments?.process.kill();
    await folder?.remove();
  });

  const run = (...args: string[]) => runCliProcess(args, { AUTH_RPC_URL: auth.url, CALLER_KEY: keys.operator.text });
  const newSale = () => draftSale(commitments);
  const create = (saleUuid: string, ...args: string[]) =>
    run("application", "create", "--sale", saleUuid, "--name=Portal", ...args);

  it("creates, shows, lists, disables and enables a client", async () => {
    const saleUuid = await newSale();
    const created = await create(
      saleUuid,
      "--redirect-uri=http://localhost:3000/oauth/callback",
      "--redirect-uri=https://app.example/callback",
      "--require-scope=read_entities",
      "--require-scope=sale_eligibility_check",
      "--optional-scope=contact_email",
      `--square-logo=${square}`,
      `--wide-logo=${wide}`,
    );
    expect(created).toMatchObject({ code: 0, errors: "" });
    const uuid = created.output.trim();
    const shown = (await run("application", "show", uuid)).output;
    expect(shown).toMatch(/^Redirect URI +http:\/\/localhost:3000\/oauth\/callback$/m);
    expect(shown).toMatch(/^Scope +contact_email, optional$/m);
    expect(shown).toMatch(/^Signs users in +yes$/m);
    expect(await run("application", "disable", uuid)).toMatchObject({ code: 0, output: `${uuid} is disabled\n` });
    expect((await run("application", "show", uuid)).output).toMatch(/^Signs users in +no: it is disabled$/m);
    expect((await run("application", "list", saleUuid)).output).toMatch(
      new RegExp(`^${uuid} +disabled +test +no +Portal$`, "m"),
    );
    expect(await run("application", "enable", uuid)).toMatchObject({ code: 0, output: `${uuid} is enabled\n` });
    const json = JSON.parse((await run("application", "show", uuid, "--json")).output);
    expect(json).toMatchObject({ uuid, saleUuid, status: "active", version: "5", testTenancy: true, obstacles: [] });
  });

  it("continues an interrupted creation, given its UUID", async () => {
    const [saleUuid, uuid] = [await newSale(), randomUUID()];
    const args = [`--uuid=${uuid}`, "--redirect-uri=https://app.example/", "--require-scope=read_entities"];
    expect(await create(saleUuid, ...args, `--square-logo=${square}`, `--wide-logo=${square}`)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^--wide-logo: must be 2 to 6 times as wide as high/),
    });
    expect(await create(saleUuid, ...args, `--square-logo=${square}`, `--wide-logo=${wide}`)).toMatchObject({
      code: 0,
      output: `${uuid}\n`,
    });
    expect((await run("application", "show", uuid)).output).toMatch(/^Signs users in +yes$/m);
  });

  it("creates nothing if a logo's file can't be read", async () => {
    const saleUuid = await newSale();
    const missing = join(folder.path, "missing.png");
    expect(await create(saleUuid, `--square-logo=${missing}`)).toMatchObject({
      code: 1,
      errors: expect.stringContaining("missing.png: ENOENT"),
    });
    const large = join(folder.path, "large.png");
    await writeFile(large, Buffer.alloc(204_801));
    expect((await create(saleUuid, `--wide-logo=${large}`)).errors).toContain("is larger than 204800 bytes");
    expect((await run("application", "list", saleUuid)).output).toMatch(/^UUID .* NAME\n$/);
  });

  it("shows problems by field", async () => {
    const saleUuid = await newSale();
    const { code, errors } = await create(saleUuid, "--redirect-uri=http://a.example/#", "--require-scope=openid");
    expect(code).toBe(1);
    expect(errors).toMatch(/^--redirect-uri: must not have a fragment/m);
    expect(errors).toMatch(/^--require-scope: must be one of read_entities/m);
  });

  it("changes the security settings that are named, and no others", async () => {
    const uuid = (await create(await newSale(), "--redirect-uri=https://app.example/")).output.trim();
    const key = generateKeyPairSync("ed25519");
    const jwksFile = async (name: string, exported: object) => {
      const path = join(folder.path, name);
      await writeFile(path, JSON.stringify({ keys: [{ ...exported, kid: "backend" }] }));
      return path;
    };
    const jwks = await jwksFile("public-keys.json", key.publicKey.export({ format: "jwk" }));
    const args = ["--demand-push=on", "--authentication=private_key_jwt", `--jwks=${jwks}`];
    const { output } = await run("application", "security", uuid, ...args, "--post-logout-uri=https://app.example/bye");
    expect(output).toMatch(
      /^Pushed authorization requests +required\nClient authentication +private_key_jwt\nPublic key +backend$/m,
    );
    const later = (await run("application", "security", uuid, "--demand-push=off", "--demand-dpop=on")).output;
    expect(later).toMatch(/^DPoP +required\nClient authentication +private_key_jwt\nPublic key +backend$/m);
    expect(later).toMatch(/^Post-logout redirect URI +https:\/\/app\.example\/bye$/m);
    expect(later).toMatch(/^Redirect URI +https:\/\/app\.example\/$/m);
    const secret = await jwksFile("private-key.json", key.privateKey.export({ format: "jwk" }));
    const refused = await run("application", "security", uuid, `--jwks=${secret}`);
    expect(refused).toMatchObject({ code: 1, errors: expect.stringMatching(/^--jwks: has private parts/) });
    expect((await run("application", "security", uuid, "--authentication=client_secret_post")).errors).toMatch(
      /^--authentication: /,
    );
  });

  it("shows and changes whether a sale requires passkeys", async () => {
    const saleUuid = await newSale();
    await create(saleUuid);
    const required = await run("sale", "passkeys", saleUuid, "--require");
    expect(required.output).toBe("passkeys are required\nROLE  PASSKEY  E-MAIL\n");
    expect((await run("sale", "passkeys", saleUuid)).output).toBe(required.output);
    expect((await run("sale", "passkeys", saleUuid, "--end")).output).toContain("passkeys aren't required");
    const both = await run("sale", "passkeys", saleUuid, "--end", "--require");
    expect(both.errors).toContain("exclude each other");
  });

  it("begins and stops the recovery of an account that has a passkey", async () => {
    const email = "robbed@example.com";
    const accountUuid = (await run("founder", "invite", email)).output.trim();
    expect((await run("account", "recover", email)).errors).toContain("has no passkey");
    expect((await run("account", "recover", "nobody@example.com")).errors).toContain("there is no account");
    const database = await openStore({ sqliteFile: join(folder.path, "auth.sqlite") });
    await givePasskey({ database, clock: () => BigInt(Date.now()) }, accountUuid);
    await database.close();
    const begun = await run("account", "recover", email);
    expect(begun.output).toMatch(/^can be completed from \S+Z until \S+Z\n$/);
    expect((await run("account", "recover", email, "--stop")).output).toBe("no recovery waits\n");
  });

  it("invites a founder", async () => {
    const { code, output } = await run("founder", "invite", "Founder@example.com");
    expect([code, output]).toEqual([0, expect.stringMatching(/^[0-9a-f-]{36}\n$/)]);
    expect((await run("founder", "invite", "founder@example.com")).output).toBe(output);
    expect(await run("founder", "invite", "founder")).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^EMAIL: /),
    });
  });

  it.each([
    [64, ["application", "create", "--name=x"], /^--sale is missing; see /],
    [64, ["application", "create", "--sale=x"], /^--name is missing; see /],
    [1, ["application", "show", randomUUID()], /^not_found: /],
    [1, ["application", "show", "x"], /^UUID: must be a valid UUID\n$/],
    [1, ["application", "create", `--sale=${randomUUID()}`, "--name=x"], /^not_found: there is no sale /],
  ])("ends with %s for %s", async (code, args, errors) => {
    expect(await run(...args)).toEqual({ code, output: "", errors: expect.stringMatching(errors) });
  });
});
