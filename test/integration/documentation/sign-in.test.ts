import { createServer } from "node:http";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../../common/platform/http/listen.ts";
import { verifierSnippet } from "../../../gateway/dashboard/application/application-snippet.ts";
import { authorizationServerMetadata } from "../../../gateway/oauth/metadata.ts";
import { AUCTION, FIXED_PRICE } from "../../../services/demo/sales/demo-sales.ts";
import { signInByPages } from "../../support/pages/page-sign-in.ts";
import { startProcess } from "../../support/processes/child-process.ts";
import { type EmbeddedTidemark, startEmbedded } from "../../support/processes/embedded.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { newestMail } from "../../support/processes/mail-folder.ts";
import { runShell } from "../../support/processes/shell.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { codeBlocks, codeSpans, onlyCodeBlock, tableRows } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";

const document = readRepository("docs/sign-in.md");
const [exchange, askUser, refresh, revoke, stolen, push] = codeBlocks(document, "sh").map(({ code }) => code);
const [tokensShown, userShown, idTokenShown, errorShown, pushedShown, claimsShown] = codeBlocks(document, "json").map(
  ({ code }) => JSON.parse(code),
);

let folder: TemporaryFolder;
let tidemark: EmbeddedTidemark;
/** Port of the redirect URI. */
let callbackPort: number;
let authorizeLink: string;
let mailFolder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  // Held while the demo starts, so that its application isn't there, and given up for what the document shows.
  const holder = createServer();
  callbackPort = (await listen(holder, { host: "127.0.0.1", port: 0 })).port;
  const env = { DATA_DIR: folder.path, DEMO_CHAIN: "off", DEMO_APP_PORT: `${callbackPort}` };
  tidemark = await startEmbedded("node", env);
  [, authorizeLink = ""] = await tidemark.process.waitForLine(/authorize link: (\S+)/);
  mailFolder = join(folder.path, "mail");
  await new Promise((resolve) => holder.close(resolve));
});
afterAll(async () => {
  await tidemark?.stop();
  await folder?.remove();
});

/** Replaces a document's ports by those of this test. */
function here(text = ""): string {
  const { host } = new URL(authorizeLink);
  return text
    .replaceAll("localhost:8080", host)
    .replaceAll(/localhost(:|", )3000|3000(?=, "localhost")/g, (port) => port.replace("3000", `${callbackPort}`));
}

/** The answer of a documented command, whose variables are set. */
async function answer(command: string | undefined, variables: Readonly<Record<string, string>> = {}) {
  const assignments = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  const output = await runShell([...assignments, here(command)].join("\n"));
  return output === "" ? undefined : JSON.parse(output);
}

async function codeOf(email: string): Promise<string> {
  const callback = await signInByPages({ authorizeUrl: authorizeLink, email, mailFolder, sharesEmail: true });
  return callback.searchParams.get("code") ?? "";
}

/** Starts a documented service and calls it with an access token. */
async function answerOfService(program: string, token: string) {
  const port = await freePort();
  const args = ["--input-type=module", "--eval", here(program).replace("3001", `${port}`)];
  const service = await startProcess({ command: "node", args, ready: /^listening/ });
  const answered = await fetch(`http://localhost:${port}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await answered.text();
  await service.kill();
  return { status: answered.status, text };
}

describe("docs/sign-in.md", () => {
  it("leads manually from the printed link to tokens, and to their revocation", async () => {
    const tokens = await answer(exchange, { CODE: await codeOf("alice@example.com") });
    expect(Object.keys(tokens)).toEqual(Object.keys(tokensShown));
    const { access_token, refresh_token, ...rest } = tokensShown;
    expect(tokens).toMatchObject(rest);
    expect([tokens.access_token.slice(0, 20), tokens.refresh_token.length]).toEqual([
      access_token.slice(0, 20),
      refresh_token.length,
    ]);
    expect(Object.keys(decodeJwt(tokens.access_token)).toSorted()).toEqual(Object.keys(claimsShown).toSorted());
    const user = await answer(askUser, { ACCESS_TOKEN: tokens.access_token });
    const address = { email: "alice@example.com", email_verified: true };
    expect(user).toEqual({ sub: expect.stringMatching(/^[\w-]{43}$/), ...address });
    expect(Object.keys(user)).toEqual(Object.keys(userShown));
    const fresh = await answer(refresh, { REFRESH_TOKEN: tokens.refresh_token });
    expect(fresh.refresh_token).not.toBe(tokens.refresh_token);
    expect(await answer(revoke, { REFRESH_TOKEN: fresh.refresh_token })).toBeUndefined();
    expect(await answer(askUser, { ACCESS_TOKEN: fresh.access_token })).toMatchObject({ error: "invalid_token" });
  });

  it("shows an ID token", async () => {
    const url = new URL(authorizeLink);
    url.searchParams.set("scope", "openid");
    url.searchParams.set("nonce", idTokenShown.nonce);
    const callback = await signInByPages({ authorizeUrl: url.href, email: "gina@example.com", mailFolder });
    const tokens = await answer(exchange, { CODE: callback.searchParams.get("code") ?? "" });
    const { nonce, acr, amr, aud, ...claims } = decodeJwt(tokens.id_token);
    expect({ nonce, acr, amr, aud }).toEqual({
      nonce: idTokenShown.nonce,
      acr: idTokenShown.acr,
      amr: ["otp"],
      aud: idTokenShown.aud,
    });
    expect(Object.keys(claims).toSorted()).toEqual(
      Object.keys(idTokenShown)
        .filter((name) => !["nonce", "acr", "amr", "aud"].includes(name))
        .toSorted(),
    );
  });

  it("shows what an error is like", async () => {
    expect(await answer(stolen)).toEqual(errorShown);
  });

  it("shows how a request is pushed, and the browser comes with it", async () => {
    const { request_uri: requestUri, ...rest } = await answer(push);
    const { request_uri: shown, ...others } = pushedShown;
    expect([rest, requestUri.replace(/[^:]*$/, "").length]).toEqual([others, shown.replace(/[^:]*$/, "").length]);
    const url = new URL("/oauth/authorize", authorizeLink);
    url.search = new URLSearchParams({ client_id: AUCTION.clientUuid, request_uri: requestUri }).toString();
    const callback = await signInByPages({ authorizeUrl: url.href, email: "frank@example.com", mailFolder });
    expect(callback.searchParams.has("code")).toBe(true);
  });

  it("has a script that signs in with a library", async () => {
    const args = ["--input-type=module", "--eval", here(onlyCodeBlock(document, "js"))];
    const script = await startProcess({ command: "node", args, ready: /^open / });
    const [, authorizeUrl = ""] = await script.waitForLine(/^open (\S+)/);
    const callback = await signInByPages({ authorizeUrl, email: "bob@example.com", mailFolder });
    expect(await (await fetch(callback)).text()).toMatch(/^Hello [\w-]{43}\n$/);
    expect(await script.exited).toEqual({ code: 0, signal: null });
  });

  it("has a service that takes only the tokens of one application, which the dashboard shows too", async () => {
    const shown = onlyCodeBlock(document, "javascript");
    const issuer = "http://localhost:8080";
    const values = { issuer, audience: issuer, clientId: AUCTION.clientUuid, tenancy: "test" } as const;
    expect(shown).toBe(verifierSnippet(values));
    const { access_token: token } = await answer(exchange, { CODE: await codeOf("erin@example.com") });
    const foreign = { ...values, clientId: FIXED_PRICE.clientUuid };
    const answers = [values, foreign, { ...values, tenancy: "live" as const }, { ...values, audience: "another" }].map(
      (own) => answerOfService(verifierSnippet(own), token),
    );
    const refused = { status: 401, text: "" };
    const accepted = { status: 200, text: `Hello ${decodeJwt(token).sub}\n` };
    expect(await Promise.all(answers)).toEqual([accepted, refused, refused, refused]);
    expect(await answerOfService(shown, `${token}x`)).toEqual(refused);
  });

  it("names the scopes and prompts that the metadata list", () => {
    const { scopes_supported, prompt_values_supported } = JSON.parse(authorizationServerMetadata("https://a.example"));
    expect(tableRows(document, "scope").map(([name = ""]) => codeSpans(name)[0])).toEqual(scopes_supported);
    const prompt = tableRows(document, "parameter").find(([name]) => name === "`prompt`");
    expect(codeSpans(prompt?.[1] ?? "")).toEqual(prompt_values_supported);
  });
});

describe("README.md", () => {
  it("shows the mail with the code as it is", async () => {
    await codeOf("carol@example.com");
    const shown = onlyCodeBlock(readRepository("README.md"), "eml").trimEnd();
    expect(generalised(await newestMail(mailFolder))).toContain(generalised(shown));
  });

  /** Removes from a mail what differs from mail to mail. */
  function generalised(mail: string): string {
    return mail
      .replace(/(?<=To: )\S+/, "")
      .replace(/(?<=requested it: ).*/, "")
      .replaceAll(/\b[B-Z]{4}-[B-Z]{4}\b/g, "")
      .replace(/localhost:\d+/, "");
  }
});
