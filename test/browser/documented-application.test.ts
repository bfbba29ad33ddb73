import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeIn } from "../../services/auth/testing/mail-outbox.ts";
import { listen } from "../../services/shared/http/listen.ts";
import { launchChromium } from "../support/browser.ts";
import { type DocumentedDeployment, startDocumentedDeployment } from "../support/documented-application.ts";
import { newestMail } from "../support/mail-folder.ts";
import { onlyCodeBlock } from "../support/markdown.ts";
import { readRepository } from "../support/repository.ts";
import { openWatchedPage } from "../support/watched-page.ts";

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

describe(DOCUMENT, () => {
  it("has a page that signs in with tokens that are bound to a key, and signs out", async () => {
    await serve(await deployment.register(DOCUMENT));
    const { page, close } = await openWatchedPage(browser, {});
    await page.goto(`http://localhost:${deployment.port}/`);
    await page.getByText("Not signed in").waitFor();
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    await press("Sign in");
    await page.getByLabel("E-mail address").fill("pages@example.com");
    await press("Send me a code");
    await page.getByLabel("Code").waitFor();
    await page.getByLabel("Code").fill(codeIn(await newestMail(deployment.mailFolder)));
    await press("Sign in");
    const granted = page.waitForResponse((response) => response.url().endsWith("/oauth/token") && response.ok());
    await press("Allow");
    await page.getByText(/^Hello [\w-]{43}$/).waitFor();
    expect(await (await granted).json()).toMatchObject({ token_type: "DPoP" });
    expect(new URL(page.url()).search).toBe("");
    await press("Sign out");
    await page.getByText("Goodbye").waitFor();
    await close();
  });
});
