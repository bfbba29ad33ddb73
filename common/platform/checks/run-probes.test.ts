import { describe, expect, it } from "vitest";
import { ConfigError } from "../config/config-error.ts";
import { failed, ok, warning } from "./finding.ts";
import { findingLines, findingsJson, mayStart } from "./finding-lines.ts";
import { runProbes } from "./run-probes.ts";

describe("runProbes", () => {
  it("runs probes side by side, and keeps their order", async () => {
    const second = Promise.withResolvers<void>();
    const findings = await runProbes([
      { subject: "one", run: async () => second.promise.then(() => [ok("answers")]) },
      {
        subject: "two",
        run: async () => {
          second.resolve();
          return [ok("answers"), { subject: "two's rights", ...warning("are few", "grant them") }];
        },
      },
    ]);
    expect(findings.map(({ subject }) => subject)).toEqual(["one", "two", "two's rights"]);
  });

  it("makes a failure a finding: that of a setting as it is, that of a connection with its reason", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), {
      code: "ECONNREFUSED",
      syscall: "connect",
    });
    const expired = Object.assign(new Error("no"), { code: "CERT_HAS_EXPIRED" });
    const errors = [
      new ConfigError("MYSQL_URL", "expected it"),
      new Error("failed", { cause: refused }),
      new Error("failed", { cause: expired }),
      "a text",
    ];
    const findings = await runProbes(errors.map((error) => ({ subject: "it", run: () => Promise.reject(error) })));
    expect(findings.map(({ level, text }) => [level, text])).toEqual([
      ["failed", "MYSQL_URL: expected it"],
      ["failed", "the connection couldn't be opened: connect ECONNREFUSED 127.0.0.1:1"],
      ["failed", "the server's certificate has expired: renew it"],
      ["failed", "an unknown error"],
    ]);
  });

  it("ends what takes too long, and tells it so", async () => {
    const signals: AbortSignal[] = [];
    const hanging = {
      subject: "it",
      run: ({ signal }: { signal: AbortSignal }) => {
        signals.push(signal);
        return new Promise<never>(() => {});
      },
    };
    expect(await runProbes([hanging], { timeoutMs: 1 })).toMatchObject([
      { level: "failed", text: "no answer within 0.001 s" },
    ]);
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe("findings", () => {
  const findings = [
    { subject: "database", ...ok("answers") },
    { subject: "NATS", ...warning("the stream\n\u001b[2J is another", "delete it") },
  ];

  it("are a line each, without what a terminal would act on", () => {
    expect(findingLines(findings)).toBe(
      "ok       database  answers\nwarning  NATS      the stream [2J is another. To do: delete it\n",
    );
    expect(JSON.parse(findingsJson(findings))).toEqual(findings);
  });

  it("keep a process from starting only if one failed", () => {
    expect(mayStart(findings)).toBe(true);
    expect(mayStart([...findings, { subject: "it", ...failed("is away") }])).toBe(false);
  });
});
