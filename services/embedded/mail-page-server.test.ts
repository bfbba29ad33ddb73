import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { FakeClock } from "../../common/platform/testing/fake-clock.ts";
import { captureLog } from "../../common/platform/testing/log-capture.ts";
import { fileMailer } from "../auth/mail/file-mailer.ts";
import { openMailPage } from "./mail-page-server.ts";

const from = { name: "", address: "sale@example.com" };
const { logger } = captureLog();

let url: string;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mail-page-"));
  const page = await openMailPage(0);
  onTestFinished(async () => {
    await page.stop(AbortSignal.timeout(0));
    await rm(folder, { recursive: true });
  });
  page.serve({ from, folder }, logger);
  url = page.url;
});

const send = (subject: string, text: string) =>
  fileMailer({ folder, from, clock: new FakeClock().now, logger }).send({
    to: "a@example.com",
    subject,
    text,
    html: "",
  });

/** Answer to a request whose `Host` may be that of another site. */
function ask(options: { readonly host?: string; readonly method?: string; readonly path?: string }) {
  const { port } = new URL(url);
  const { host = `localhost:${port}`, ...rest } = options;
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, ...rest, headers: { host }, agent: false }, async (response) => {
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(await response.toArray()).toString() });
    });
    sent.once("error", reject).end();
  });
}

it("shows the mails as text, whatever they contain, and keeps browsers from doing more", async () => {
  expect(await (await fetch(url)).text()).toContain("There is no mail yet");
  await send("<b>Code</b>", `Your code: BCDF-GHJK "<script>alert(1)</script>"`);
  const answer = await fetch(url);
  const page = await answer.text();
  expect(page).toContain("<h2>&lt;b&gt;Code&lt;/b&gt;</h2>");
  expect(page).toContain("To a@example.com, Sat, 31 Jan 2026 12:00:00 +0000");
  expect(page).toContain("BCDF-GHJK &quot;&lt;script&gt;");
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

it("answers at the names of this machine only, at any port of them, so that no other site reads it", async () => {
  await send("Code", "BCDF-GHJK");
  for (const host of ["localhost:9999", "127.0.0.1:8025", "[::1]:8025", "localhost"]) {
    expect(await ask({ host })).toMatchObject({ status: 200, text: expect.stringContaining("BCDF-GHJK") });
  }
  for (const host of ["evil.example", "localhost.evil.example:8025", "evil.example:8025", "10.244.0.7:8025"]) {
    expect(await ask({ host })).toMatchObject({ status: 403, text: expect.not.stringContaining("BCDF-GHJK") });
  }
});

it("has one page, which is only read", async () => {
  expect(await ask({ method: "POST" })).toMatchObject({ status: 405 });
  expect(await ask({ path: "/../auth.sqlite" })).toMatchObject({ status: 404 });
});

it("shows no mails that SMTP sends to people, and needs a port of its own", async () => {
  const other = await openMailPage(0);
  onTestFinished(() => other.stop(AbortSignal.timeout(0)));
  const smtpUrl = "smtp://mail.example.com";
  expect(() => other.serve({ from, folder, smtpUrl }, logger)).toThrow(/^MAIL_PAGE: expected off/);
  await expect(openMailPage(Number(new URL(url).port))).rejects.toThrow(/^MAIL_PAGE_PORT: expected a free port/);
});
