import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { FakeClock } from "../../../common/platform/testing/fake-clock.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { fileMailer } from "./file-mailer.ts";
import { readStoredMails } from "./stored-mails.ts";

async function given() {
  const parent = await mkdtemp(join(tmpdir(), "mail-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, "mail");
  const clock = new FakeClock();
  const from = { name: "", address: "sale@example.com" };
  return { folder, clock, mailer: fileMailer({ folder, from, clock: clock.now, logger: captureLog().logger }) };
}

it("reads back what was written, the newest first, and no more than asked for", async () => {
  const { folder, clock, mailer } = await given();
  expect(await readStoredMails(folder, 2)).toEqual([]);
  for (const count of [1, 2, 3]) {
    const subject = `Größe: mail ${count}`;
    await mailer.send({ to: `n${count}@example.com`, subject, text: `Code:\n\n  ÄB-${count}\n`, html: "" });
    clock.advance(1_000);
  }
  await writeFile(join(folder, "a-note.eml"), "");
  expect(await readStoredMails(folder, 2)).toEqual([
    {
      to: "n3@example.com",
      subject: "Größe: mail 3",
      date: "Sat, 31 Jan 2026 12:00:02 +0000",
      text: "Code:\n\n  ÄB-3\n",
    },
    expect.objectContaining({ to: "n2@example.com", subject: "Größe: mail 2" }),
  ]);
});
