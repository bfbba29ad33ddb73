import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ConfigError, Env } from "./env.ts";

const directory = mkdtempSync(join(tmpdir(), "tidemark-env-"));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("nothing was thrown");
}

const web = { protocols: ["http:", "https:"] } as const;

describe("Env", () => {
  it("reads each kind of value", () => {
    const env = new Env({ S: "text", I: "-3", P: "0", D: "10m", B: "64KiB", C: "b", ON: "on", U: "https://a.test/x" });
    expect(env.string("S")).toBe("text");
    expect(env.optionalString("S")).toBe("text");
    expect(env.secret("S")).toBe("text");
    expect(env.optionalSecret("S")).toBe("text");
    expect(env.integer("I", { min: -5, max: 5 })).toBe(-3);
    expect(env.port("P", 80)).toBe(0);
    expect(env.duration("D", { min: "0ms", max: "1h" })).toBe(600_000);
    expect(env.bytes("B", { min: "0", max: "1MiB" })).toBe(65_536);
    expect(env.choice("C", ["a", "b"])).toBe("b");
    expect(env.boolean("ON", false)).toBe(true);
    expect(env.url("U", undefined, web).href).toBe("https://a.test/x");
    expect(env.optionalUrl("U", web)?.hostname).toBe("a.test");
    expect(env.urls("U", undefined, web)).toEqual(["https://a.test/x"]);
    const list = new Env({ X: "http://a.test, http://b.test:8081/x" });
    expect(list.urls("X", undefined, web)).toEqual(["http://a.test/", "http://b.test:8081/x"]);
  });

  it("takes the default for a variable that is absent or empty", () => {
    for (const env of [new Env({}), new Env({ X: "", X_FILE: "" })]) {
      expect(env.string("X", "d")).toBe("d");
      expect(env.optionalString("X")).toBeUndefined();
      expect(env.optionalSecret("X")).toBeUndefined();
      expect(env.integer("X", { default: 4, min: 0, max: 9 })).toBe(4);
      expect(env.port("X", 8080)).toBe(8080);
      expect(env.duration("X", { default: "1s", min: "0ms", max: "1h" })).toBe(1_000);
      expect(env.bytes("X", { default: "32MiB", min: "0", max: "1GiB" })).toBe(33_554_432);
      expect(env.choice("X", ["a", "b"], "a")).toBe("a");
      expect(env.boolean("X", true)).toBe(true);
      expect(env.url("X", "http://a.test", web).href).toBe("http://a.test/");
      expect(env.urls("X", "http://a.test", web)).toEqual(["http://a.test/"]);
      expect(env.optionalUrl("X", web)).toBeUndefined();
    }
  });

  it.each<[string, string, (env: Env) => unknown]>([
    ["1.5", 'X: expected an integer from 0 to 9, got "1.5"', (env) => env.integer("X", { min: 0, max: 9 })],
    ["10", 'X: expected an integer from 0 to 9, got "10"', (env) => env.integer("X", { min: 0, max: 9 })],
    ["0x1", 'X: expected an integer from 0 to 9, got "0x1"', (env) => env.integer("X", { min: 0, max: 9 })],
    ["65536", 'X: expected an integer from 0 to 65535, got "65536"', (env) => env.port("X", 1)],
    ["5", 'X: expected a duration from 1ms to 1h, got "5"', (env) => env.duration("X", { min: "1ms", max: "1h" })],
    ["2h", 'X: expected a duration from 1ms to 1h, got "2h"', (env) => env.duration("X", { min: "1ms", max: "1h" })],
    ["1MB", 'X: expected a size from 1 to 1GiB, got "1MB"', (env) => env.bytes("X", { min: "1", max: "1GiB" })],
    ["c", 'X: expected one of a, b, got "c"', (env) => env.choice("X", ["a", "b"], "a")],
    ["toString", "X: expected one of", (env) => env.boolean("X", true)],
    ["two\nlines", 'X: expected one of a, b, got "two\\nlines"', (env) => env.choice("X", ["a", "b"])],
    ["a.test", "X: expected an absolute URL that begins with http: or https:", (env) => env.url("X", undefined, web)],
    [
      "ftp://a.test",
      "X: expected an absolute URL that begins with http: or https:",
      (env) => env.optionalUrl("X", web),
    ],
    ["http://a,", "X: expected an absolute URL that begins with", (env) => env.urls("X", undefined, web)],
    ["http://a,http://a/", "X: expected no URL twice", (env) => env.urls("X", undefined, web)],
    ["http://a,https://b", "X: expected URLs of one scheme", (env) => env.urls("X", undefined, web)],
  ])("refuses %j with a line that names the variable and the rule", (text, message, read) => {
    expect(messageOf(() => read(new Env({ X: text })))).toContain(message);
  });

  it.each<[string, (env: Env) => unknown]>([
    ["a value", (env) => env.string("X")],
    ["a secret", (env) => env.secret("X")],
    ["an integer from 0 to 9", (env) => env.integer("X", { min: 0, max: 9 })],
    ["a duration from 0ms to 1h", (env) => env.duration("X", { min: "0ms", max: "1h" })],
    ["one of a, b", (env) => env.choice("X", ["a", "b"])],
    ["an absolute URL that begins with http: or https:", (env) => env.url("X", undefined, web)],
  ])("says that %s is missing", (expected, read) => {
    expect(messageOf(() => read(new Env({})))).toBe(`X: expected ${expected}, it is not set`);
  });

  it("never shows a URL, which may hold a password", () => {
    const env = new Env({ X: "mysql://root:hunter2@db/x" });
    expect(messageOf(() => env.url("X", undefined, web))).not.toContain("hunter2");
  });

  it("refuses a user name or password in a URL that can't use them", () => {
    const refusal = "X: expected no user name or password in the URL";
    for (const text of ["https://hunter2@a.test", "https://:hunter2@a.test", "http://a,http://me:hunter2@b"]) {
      expect(messageOf(() => new Env({ X: text }).urls("X", undefined, web))).toBe(refusal);
    }
    const env = new Env({ X: "https://me:hunter2@a.test" });
    expect(messageOf(() => env.url("X", undefined, web))).toBe(refusal);
    expect(messageOf(() => env.optionalUrl("X", web))).toBe(refusal);
    expect(env.url("X", undefined, { ...web, mayHaveCredentials: true }).password).toBe("hunter2");
  });

  it("shortens long values in errors", () => {
    const message = messageOf(() => new Env({ X: "9".repeat(10_000) }).port("X", 1));
    expect(message.length).toBeLessThan(120);
  });

  it("refuses a default outside of the bounds", () => {
    expect(messageOf(() => new Env({}).duration("X", { default: "2h", min: "1s", max: "1h" }))).toBe(
      "X: expected a duration from 1s to 1h, got the default 2h",
    );
  });
});

describe("Env with NAME_FILE", () => {
  it.each([
    ["secret", "secret"],
    ["secret\n", "secret"],
    ["secret\r\n", "secret"],
    ["two\nlines\n\n", "two\nlines\n"],
  ])("reads %j as %j", (content, expected) => {
    expect(new Env({ X_FILE: file("value", content) }).secret("X")).toBe(expected);
  });

  it("applies to every kind of value, without showing what the file holds", () => {
    const env = new Env({ X_FILE: file("port", "hunter2\n") });
    expect(messageOf(() => env.port("X", 1))).toBe("X: expected an integer from 0 to 65535, got the content of a file");
  });

  it("refuses a variable and a file at once", () => {
    const env = new Env({ X: "a", X_FILE: file("value", "b") });
    expect(messageOf(() => env.string("X"))).toBe("X: expected either X or X_FILE, both are set");
  });

  it("refuses a file that can't be read, is empty or too large", () => {
    const read = (path: string) => messageOf(() => new Env({ X_FILE: path }).optionalSecret("X"));
    expect(read(join(directory, "absent"))).toMatch(/^X_FILE: expected a readable file, .* gives ENOENT$/);
    expect(read(directory)).toMatch(/^X_FILE: expected a readable file, .* gives EISDIR$/);
    expect(read(file("empty", "\n"))).toMatch(/^X_FILE: expected a file with a value, .* is empty$/);
    expect(read(file("large", "x".repeat(2 ** 20 + 1)))).toMatch(/^X_FILE: expected a file of at most 1 MiB/);
  });
});
