import { readdir } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { FakeClock } from "../../../common/platform/testing/fake-clock.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { temporaryFolder } from "../../../test/support/processes/temporary-folder.ts";
import { openMailer } from "./open-mailer.ts";

const mail = { to: "name@example.com", subject: "A notice", text: "What was done.\n", html: "<p>What was done.</p>" };

it("is closed once all mails that are being sent have left", async () => {
  const { path: folder, remove } = await temporaryFolder();
  onTestFinished(remove);
  const from = { name: "Sale", address: "sale@example.com" };
  const mailer = await openMailer({ from, folder, clock: new FakeClock().now, logger: captureLog().logger });
  for (let count = 0; count < 5; count += 1) void mailer.send(mail);
  await mailer.close();
  expect((await readdir(folder)).filter((name) => name.endsWith(".eml"))).toHaveLength(5);
});
