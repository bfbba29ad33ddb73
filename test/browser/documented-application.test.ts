import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { decodeJwt } from "jose";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../common/platform/http/listen.ts";
import {
  type DocumentedDeployment,
  startDocumentedDeployment,
} from "../support/applications/documented-application.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { addVirtualAuthenticator, passkeyWillBeOffered } from "../support/pages/virtual-authenticator.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";
import { nextCode } from "../support/processes/mail-folder.ts";
import { onlyCodeBlock } from "../support/repository/markdown.ts";
import { readRepository } from "../support/repository/repository.ts";

const DOCUMENT = "docs/sign-in-browser.md";

let deployment: DocumentedDeployment;
let browser: Browser;
let site: Server;
beforeAll(async () => {
  [deployment, browser] = await Promise.all([startDocumentedDeployment(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  site?.closeAllConnections();
  site?.close();
  await deployment?.stop();
});

/** Serves the document's page, its script and the library's one file. */
async function serve(clientId: string): Promise<void> {
  const document = readRepository(DOCUMENT);
  const script = deployment.here(onlyCodeBlock(document, "js")).replace("your client_id", clientId);
  const library = await readFile(fileURLToPath(import.meta.resolve("oauth4webapi")), "utf8");
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    "/": ["text/html", onlyCodeBlock(document, "html")],
    "/application.js": ["text/javascript", script],
    "/oauth4webapi.js": ["text/javascript", library],
  };
  site = createServer(({ url = "/" }, response) => {
    const [type, text] = files[url.replace(/\?.*/, "")] ?? ["text/plain", ""];
    response.writeHead(text === "" ? 404 : 200, { "content-type": type }).end(text);
  });
  await listen(site, { host: "localhost", port: deployment.port });
}

/** Opens a tab whose device keeps passkeys, in which nobody chooses among suggestions. */
async function openWithDevice() {
  const watched = await openWatchedPage(browser, {});
  await watched.page.addInitScript("PublicKeyCredential.isConditionalMediationAvailable = undefined");
  await addVirtualAuthenticator(watched.page);
  const press = (name: string) => watched.page.getByRole("button", { name, exact: true }).click();
  /** Signs in on the page of a sign-in, by a mailed code. */
  const signIn = async (email: string) => {
    await watched.page.getByLabel("E-mail address").fill(email);
    await press("Send me a code");
    await passkeyWillBeOffered(watched.page);
    await watched.page.getByLabel("Code").fill(await nextCode(deployment.mailFolder, email));
    await press("Sign in");
  };
  return { ...watched, press, signIn };
}

/** Signs out of Tidemark itself, so that the next application begins with a sign-in. */
async function signOut({ page, press }: Awaited<ReturnType<typeof openWithDevice>>): Promise<void> {
  await page.goto(`${deployment.issuer}/account`);
  await press("Sign out of this browser");
  await page.waitForURL(`${deployment.issuer}/signed-out`);
}

describe(DOCUMENT, () => {
  it("has a page that signs in with tokens that are bound to a key, by a code and then a passkey, and signs out", async () => {
    await serve(await deployment.register(DOCUMENT));
    const tab = await openWithDevice();
    const { page, press } = tab;
    const allow = async () => {
      const granted = page.waitForResponse((response) => response.url().endsWith("/oauth/token") && response.ok());
      await press("Allow");
      await page.getByText(/^Hello [\w-]{43}$/).waitFor();
      expect(new URL(page.url()).search).toBe("");
      return (await granted).json();
    };
    await page.goto(`http://localhost:${deployment.port}/`);
    await page.getByText("Not signed in").waitFor();
    await press("Sign in");
    await tab.signIn("pages@example.com");
    await press("Add a passkey");
    const byCode = await allow();
    expect(byCode.token_type).toBe("DPoP");
    expect(decodeJwt(byCode.id_token)).toMatchObject({ amr: ["otp"] });
    await press("Sign out");
    await page.getByText("Goodbye").waitFor();

    await signOut(tab);
    await page.goto(`http://localhost:${deployment.port}/`);
    await press("Sign in");
    await press("Sign in with a passkey");
    const byPasskey = await allow();
    expect(byPasskey.token_type).toBe("DPoP");
    expect(decodeJwt(byPasskey.id_token)).toMatchObject({ sub: decodeJwt(byCode.id_token).sub, acr: "phr" });
    await tab.close();
  });
});

describe("docs/sign-in-native.md", () => {
  const document = "docs/sign-in-native.md";

  it("has a program whose user signs in with a passkey", async () => {
    const tab = await openWithDevice();
    await tab.page.goto(`${deployment.issuer}/sign-in`);
    await tab.signIn("native@example.com");
    await tab.press("Add a passkey");
    await tab.page.waitForURL(`${deployment.issuer}/account?done=passkey-added`);
    await signOut(tab);
    const env = { CLIENT_ID: await deployment.register(document) };
    const program = await deployment.startProgram(onlyCodeBlock(readRepository(document), "js"), env, /^open /);
    const [, address = ""] = await program.waitForLine(/^open (\S+)/);
    await tab.page.goto(address);
    await tab.press("Sign in with a passkey");
    await tab.press("Allow");
    await tab.page.getByText("You are signed in, and can close this window.").waitFor();
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(program.output()).toMatch(/^signed in: [\w-]{43} by pop, user, mfa\nstill signed in: true$/m);
    await tab.close();
  });
});
