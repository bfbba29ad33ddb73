import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { expect, it, onTestFinished } from "vitest";
import { FakeClock } from "../../../common/platform/testing/fake-clock.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { fileMailer, KEPT_MAILS } from "./file-mailer.ts";

const from = { name: "The Sale", address: "sale@example.com" };
const mail = {
  to: "name@example.com",
  subject: "Your code for Größe",
  text: "Code: BCDF-GHJK „ü“\n",
  html: "<p>x</p>",
};

const { logger, lines } = captureLog();

async function newFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "mail-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  return join(parent, "data", "mail");
}

it("writes a mail that a mail program can read, and that other users can't", async () => {
  const folder = await newFolder();
  await fileMailer({ folder, from, clock: new FakeClock().now, logger }).send(mail);
  const [name = ""] = await readdir(folder);
  expect(name).toMatch(/^20260131T120000000Z-[0-9a-f]{12}\.eml$/);
  const path = join(folder, name);
  expect([(await stat(path)).mode & 0o777, (await stat(folder)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(await PostalMime.parse(await readFile(path))).toMatchObject({
    from,
    to: [{ address: mail.to }],
    subject: mail.subject,
    text: mail.text,
    date: "2026-01-31T12:00:00.000Z",
  });
});

it("names where mails like it are ended, in headers of RFC 8058, if it has that", async () => {
  const folder = await newFolder();
  const unsubscribeUrl = "https://auth.example/account/alerts/stop?token=x";
  await fileMailer({ folder, from, clock: new FakeClock().now, logger }).send({ ...mail, unsubscribeUrl });
  await fileMailer({ folder, from, clock: new FakeClock().now, logger }).send(mail);
  const written = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
  const headers = written.map((message) => message.match(/^List-Unsubscribe.*$/gm));
  expect(headers).toContainEqual([
    `List-Unsubscribe: <${unsubscribeUrl}>`,
    "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
  ]);
  expect(headers).toContainEqual(null);
});

it("shows a mail on the terminal, if there is one", async () => {
  const shown: string[] = [];
  const terminal = { write: (text: string) => void shown.push(text) };
  await fileMailer({ folder: await newFolder(), from, clock: new FakeClock().now, logger, terminal }).send(mail);
  expect(shown.join("")).toBe("\nMail to name@example.com: Your code for Größe\n\nCode: BCDF-GHJK „ü“\n\n");
});

it("keeps only the latest mails, and leaves other files alone", async () => {
  const folder = await newFolder();
  const clock = new FakeClock();
  const mailer = fileMailer({ folder, from, clock: clock.now, logger });
  await mailer.send(mail);
  await writeFile(join(folder, "a-note.eml"), "");
  for (let count = 0; count < KEPT_MAILS; count += 1) {
    clock.advance(1);
    await mailer.send(mail);
  }
  const names = (await readdir(folder)).toSorted();
  expect(names).toHaveLength(KEPT_MAILS + 1);
  expect(names.at(-1)).toBe("a-note.eml");
  expect(names[0]).toMatch(/^20260131T120000001Z-/);
});

it("fails with unavailable where the folder can't be written", async () => {
  const folder = await newFolder();
  const mailer = fileMailer({ folder: join(folder, "file"), from, clock: new FakeClock().now, logger });
  await fileMailer({ folder, from, clock: new FakeClock().now, logger }).send(mail);
  await writeFile(join(folder, "file"), "");
  await expect(mailer.send(mail)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.not.stringContaining("/"),
  });
  expect(lines).toMatchObject([
    { msg: "a mail could not be sent", reason: expect.stringMatching(/^MAIL_DIR can't be written: E[A-Z]+$/) },
  ]);
});
