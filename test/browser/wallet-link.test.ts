import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { formatWallet } from "../../common/chains/wallet.ts";
import { entityPaths } from "../../gateway/account/entities/entity-paths.ts";
import { startFullGateway } from "../../gateway/testing/auth-gateway.ts";
import { addEntity } from "../../gateway/testing/own-entities.ts";
import { EntityType } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { newToken } from "../../services/auth/testing/application.ts";
import { VENDOR_SETTINGS } from "../../services/entities/testing/vendor.ts";
import { type ParticipationWeb, startParticipationWeb } from "../support/applications/taking-part-web.ts";
import { BROWSER_COOKIE, SESSION_COOKIE } from "../support/pages/auth-web.ts";
import { violationsOf } from "../support/pages/axe.ts";
import { launchChromium } from "../support/pages/browser.ts";
import { openWatchedPage } from "../support/pages/watched-page.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { selfSignedCertificate } from "../support/processes/tls-certificate.ts";
import { startTlsFront, type TlsFront } from "../support/processes/tls-front.ts";

const HOST = "auth.example";
const account = privateKeyToAccount(generatePrivateKey());

let web: ParticipationWeb;
let front: TlsFront;
let browser: Browser;
let removeFolder: () => Promise<void>;
beforeAll(async () => {
  const { path, remove } = await temporaryFolder();
  removeFolder = remove;
  web = await startParticipationWeb({ dialect: "sqlite", file: join(path, "test.sqlite"), remove });
  front = await startTlsFront(await selfSignedCertificate(HOST));
  front.leadTo(Number(new URL(web.origin).port));
  browser = await launchChromium(`--host-resolver-rules=MAP ${HOST}:443 127.0.0.1:${front.port}`);
});
afterAll(async () => {
  await browser?.close();
  await front?.close();
  await web?.stop();
  await removeFolder?.();
});

/** The behaviour of a stand-in wallet. */
interface Wallet {
  accounts?: readonly string[];
  chain?: number;
  /** The EIP-1193 code with which it fails. */
  failure?: number;
  /** Whether it signs nothing. */
  isEmpty?: boolean;
  /** How it is found; `eip6963` by default. */
  found?: "window" | "eip6963" | "solana";
}

const ed25519 = generateKeyPairSync("ed25519");
const svmKey = new Uint8Array(ed25519.publicKey.export({ type: "spki", format: "der" }).subarray(-32));
const svmAddress = formatWallet({ kind: "svm", bytes: svmKey });

/** Puts a wallet into all pages, which signs with the test's keys. Its traits can be changed by `window.wallet`. */
function installWallet({ found = "eip6963", ...traits }: Wallet): string {
  return `window.wallet = ${JSON.stringify({ accounts: [account.address], chain: 8453, ...traits })};
    const wallet = window.wallet;
    const provider = { async request({ method, params }) {
      if (wallet.failure) throw Object.assign(new Error("no"), { code: wallet.failure });
      if (method === "eth_requestAccounts") return wallet.accounts;
      if (method === "eth_chainId") return "0x" + wallet.chain.toString(16);
      return wallet.isEmpty ? "" : window.signEvm(params[0], params[1]);
    } };
    const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
    const text = (of) => Array.from(of, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (${found === "window"}) window.ethereum = provider;
    if (${found === "solana"}) window.solana = {
      connect: async () => ({ publicKey: { toString: () => "${svmAddress}" } }),
      signMessage: async (message) => ({ signature: bytes(await window.signSvm(text(message))) }),
    };
    if (${found === "eip6963"}) addEventListener("eip6963:requestProvider", () => dispatchEvent(new CustomEvent(
      "eip6963:announceProvider", { detail: { info: { uuid: "u", name: "Harbour <b>Wallet" }, provider } })));`;
}

/** Somebody with an entity, at the page that links a wallet to it. */
async function visitor(wallet?: Wallet, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const session = await web.service.auth.signIn(`${crypto.randomUUID()}@example.com`);
  const { entities } = await web.service.asPerson(session);
  const { entity } = await entities.createEntity({ type: EntityType.PERSON, label: "Alice" });
  const watched = await openWatchedPage(browser, { baseURL: `https://${HOST}`, ...options });
  onTestFinished(async () => {
    await watched.close();
    expect(watched.complaints).toStrictEqual([]);
  });
  const { page } = watched;
  const cookie = (name: string, value: string) => ({ name, value, url: `https://${HOST}`, secure: true });
  await page.context().addCookies([cookie(SESSION_COOKIE, session.sessionToken), cookie(BROWSER_COOKIE, newToken())]);
  if (wallet !== undefined) {
    await page.exposeFunction("signEvm", (raw: Hex, signer: string) => {
      expect(signer).toBe(account.address);
      return account.signMessage({ message: { raw } });
    });
    await page.exposeFunction("signSvm", (hex: string) =>
      sign(null, Buffer.from(hex, "hex"), ed25519.privateKey).toString("hex"),
    );
    await page.addInitScript(installWallet(wallet));
  }
  await page.goto(entityPaths(entity?.uuid ?? "").wallet);
  return page;
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const says = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();
const change = (page: Page, traits: Wallet) => page.evaluate(`Object.assign(window.wallet, ${JSON.stringify(traits)})`);

it("links a wallet that announces itself, on its own chain", async () => {
  const page = await visitor({});
  expect(await violationsOf(page)).toStrictEqual([]);
  await press(page, "Connect Harbour <b>Wallet");
  await page.getByRole("heading", { name: "Sign this text" }).waitFor();
  expect(await page.locator(".sign-text").textContent()).toContain("\nChain ID: 8453\n");
  expect(await violationsOf(page)).toStrictEqual([]);
  await press(page, "Sign with Harbour <b>Wallet");
  await says(page, "The wallet is linked.");
  await page.getByText(account.address, { exact: true }).waitFor();
});

it.each([
  ["at window.ethereum", "window", "the browser’s wallet"],
  ["of Solana", "solana", "the wallet for Solana"],
] as const)("links a wallet %s", async (_, found, name) => {
  const page = await visitor({ found });
  await press(page, `Connect ${name}`);
  await press(page, `Sign with ${name}`);
  await says(page, "The wallet is linked.");
});

it("says in words, read aloud, what went wrong, and keeps the focus and the other way", async () => {
  const page = await visitor({ failure: 4001 });
  const connect = "Connect Harbour <b>Wallet";
  const focused = () => page.locator(":focus").textContent();
  await press(page, connect);
  await says(page, "You refused it in the wallet. Nothing is linked.");
  expect(await focused()).toBe(connect);
  await change(page, { failure: -32002 });
  await press(page, connect);
  await says(page, "The wallet still waits for an answer.");
  await change(page, { failure: -32603 });
  await press(page, connect);
  await says(page, "The wallet couldn’t do it. You can go on below without it.");
  await change(page, { failure: 0, accounts: [] });
  await press(page, connect);
  await says(page, "The wallet has shown no account.");
  await page.getByLabel("Address of the wallet").fill(account.address);
  await press(page, "Show the text to sign");
  await page.getByRole("heading", { name: "Sign this text" }).waitFor();
  await change(page, { failure: 0 });
  await press(page, "Sign with Harbour <b>Wallet");
  await says(page, "The wallet is on the chain 8453, and the text is for 1.");
  await change(page, { chain: 1, accounts: [`0x${"1".repeat(40)}`] });
  await press(page, "Sign with Harbour <b>Wallet");
  await says(page, `The wallet has another account chosen. Choose ${account.address} in it`);
  expect(await focused()).toBe("Sign with Harbour <b>Wallet");
  await change(page, { accounts: [account.address], isEmpty: true });
  await press(page, "Sign with Harbour <b>Wallet");
  await says(page, "The wallet has answered.");
  await change(page, { isEmpty: false });
  await press(page, "Sign with Harbour <b>Wallet");
  await says(page, "The wallet is linked.");
});

it("says what the service refuses: a signature of another text", async () => {
  const page = await visitor();
  await page.getByLabel("Address of the wallet").fill(svmAddress);
  await press(page, "Show the text to sign");
  const signature = sign(null, Buffer.from("another text"), ed25519.privateKey).toString("hex");
  await page.getByLabel("Signature").fill(`0x${signature}`);
  await press(page, "Link the wallet");
  await page.getByRole("alert").getByText("The signature isn't the wallet's own for this text").waitFor();
});

it("takes a pasted signature without script, and shows no button for a wallet", async () => {
  const page = await visitor({}, { javaScriptEnabled: false });
  expect(await page.getByRole("heading", { name: "Connect a wallet" }).count()).toBe(0);
  await page.getByLabel("Address of the wallet").fill(account.address);
  await press(page, "Show the text to sign");
  const message = (await page.locator(".sign-text").textContent()) ?? "";
  await page.getByLabel("Signature").fill(await account.signMessage({ message }));
  await press(page, "Link the wallet");
  await says(page, "The wallet is linked.");
});

it("leaves by the form for the page of an identity check's vendor, past the content policy", async () => {
  const vendor = createServer((_, response) => response.end("<title>The vendor</title>"));
  await new Promise<void>((done) => vendor.listen(0, "127.0.0.1", done));
  const startUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/start`;
  const gateway = await startFullGateway({ ...VENDOR_SETTINGS, IDENTITY_START_URL: startUrl });
  const { uuid } = await addEntity(gateway);
  const { page, complaints, close } = await openWatchedPage(browser, { baseURL: gateway.origin });
  onTestFinished(async () => {
    await close();
    await gateway.stop();
    vendor.closeAllConnections();
    await new Promise((done) => vendor.close(done));
  });
  const url = gateway.origin;
  await page.context().addCookies([{ name: "tidemark-session", value: await gateway.auth.signIn(), url }]);
  await page.goto(entityPaths(uuid).entity);
  await press(page, "Begin");
  await page.waitForURL(`${startUrl}?*`);
  expect(complaints).toStrictEqual([]);
});
