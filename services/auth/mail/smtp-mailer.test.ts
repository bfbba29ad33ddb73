import { describe, expect, it } from "vitest";
import { smtpOptions } from "./smtp-mailer.ts";

describe("smtpOptions", () => {
  it.each([
    ["smtps://mail.example.com", { host: "mail.example.com", port: 465, secure: true }],
    ["smtp://mail.example.com", { host: "mail.example.com", port: 587, secure: false }],
    ["smtp://mail.example.com:25", { port: 25, secure: false }],
    ["smtp://[::1]:2525", { host: "::1", port: 2525 }],
    ["smtp://127.0.0.1:2525", { host: "127.0.0.1" }],
  ])("%s", (url, expected) => {
    expect(smtpOptions(url)).toMatchObject(expected);
  });

  it("decodes user and password", () => {
    expect(smtpOptions("smtps://us%40er:p%2Fw%3A@mail.example.com").auth).toEqual({ user: "us@er", pass: "p/w:" });
    expect(smtpOptions("smtps://mail.example.com").auth).toBeUndefined();
  });

  it.each([
    ["smtp://user:word@mail.example.com", true],
    ["smtp://user:word@10.0.0.1", true],
    ["smtp://user:word@localhost", false],
    ["smtp://user:word@127.0.0.1", false],
    ["smtp://mail.example.com", false],
    ["smtps://user:word@mail.example.com", false],
  ])("%s must begin with STARTTLS: %s", (url, required) => {
    expect(smtpOptions(url).requireTLS).toBe(required);
  });
});
