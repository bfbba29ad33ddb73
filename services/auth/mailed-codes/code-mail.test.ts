import { describe, expect, it } from "vitest";
import { emailChangeMail, signInMail } from "./code-mail.ts";

const mail = {
  code: "BCDFGHJK",
  userAgent: "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0 <script>",
  host: "auth.example.com",
  askedAtMs: BigInt(Date.UTC(2026, 10, 29, 14, 3, 59)),
  language: "en",
} as const;

describe("the mail with a code to sign in with", () => {
  const content = signInMail(mail, { name: "Acme <App>", saleName: "Acme & Co" });

  it("names application, sale, host and browser", () => {
    expect(content.subject).toBe("BCDF-GHJK is your sign-in code");
    expect(content.text).toBe(
      [
        "You asked to sign in to the application “Acme <App>” of the sale “Acme & Co”. This is the code:",
        "    BCDF-GHJK",
        "Enter it at auth.example.com within 10 minutes. It works once, and only in the browser that requested it: Firefox on Windows. It was asked for on 29 Nov 2026, 14:03 UTC.",
        "If it wasn't you, ignore this mail: without the code nobody can sign in. Never give the code to anybody, whoever asks for it.",
        "",
      ]
        .join("\n\n")
        .trimEnd()
        .concat("\n"),
    );
  });

  it("says the same in HTML, escaped", () => {
    expect(content.html).toContain("the application “Acme &lt;App&gt;” of the sale “Acme &amp; Co”");
    expect(content.html).toContain(">BCDF-GHJK</p>");
    expect(content.html).toContain("Firefox on Windows");
    expect(content.html).not.toMatch(/<script|<App/);
  });

  it("holds no link, whatever the names are", () => {
    const hostile = signInMail(mail, {
      name: '<a href="https://evil.example">x</a>',
      saleName: "https://www.evil.example/",
    });
    for (const { subject, text, html } of [content, hostile]) {
      expect(subject + text + html).not.toMatch(/:\/\/|www\./);
      expect(html).not.toMatch(/<(a|img|form|link|iframe)\b/);
    }
  });

  it("has a subject of our own words, and quotes names that pose as ours", () => {
    const name = "A” was hacked, log in at evil.example. “";
    const { subject, text } = signInMail(mail, { name, saleName: "S" });
    expect(subject).toBe("BCDF-GHJK is your sign-in code");
    expect(text).toContain("to the application “A' was hacked, log in at evil.example. '” of the sale “S”.");
  });

  it("needs no application", () => {
    const { subject, text } = signInMail(mail);
    expect(subject).toBe("BCDF-GHJK is your sign-in code");
    expect(text).toMatch(/^You asked to sign in\. This is the code:/);
  });
});

it("is German for somebody whose pages are", () => {
  const { subject, text, html } = signInMail({ ...mail, language: "de" }, { name: "A” „B", saleName: "S" });
  expect(subject).toBe("BCDF-GHJK ist Ihr Anmeldecode");
  expect(text).toContain("bei der Anwendung „A' 'B“ des Verkaufs „S“ anmelden");
  expect(text).toContain("BCDF-GHJK");
  expect(text).toContain("Angefordert wurde er am 29.11.2026, 14:03 UTC.");
  expect(text).toContain("Firefox unter Windows");
  expect(html).toContain('<html lang="de">');
  expect(emailChangeMail({ ...mail, language: "de" }).subject).toBe(
    "BCDF-GHJK ist Ihr Code zum Ändern der E-Mail-Adresse",
  );
});

it("the mail to a new address says what the code is for", () => {
  const { subject, text } = emailChangeMail(mail);
  expect(subject).toBe("BCDF-GHJK is your code to change your e-mail address");
  expect(text).toContain("use this e-mail address for your account");
  expect(text).toContain("BCDF-GHJK");
  expect(text).toContain("Firefox on Windows");
});

it.each(["en", "de"] as const)("no subject takes anything but a code of ours (%s)", (language) => {
  for (const code of ["BCDFGHJK\r\nBcc: a@example.com", "BCDF\nGHJK", "log in at evil.example", "", "bcdfghjk"]) {
    for (const mailOf of [signInMail, emailChangeMail]) {
      expect(() => mailOf({ ...mail, code, language })).toThrow(TypeError);
    }
  }
});
