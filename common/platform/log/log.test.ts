import { describe, expect, it } from "vitest";
import { ConfigError, Env } from "../config/env.ts";
import { captureLog } from "../testing/log-capture.ts";
import { createLogger, logLevel } from "./log.ts";

describe("createLogger", () => {
  it("writes JSON lines with level as text, ISO time, service, message and fields", () => {
    const { logger, lines } = captureLog();
    logger.info({ sale_uuid: "1", amount: 5n }, "applied");
    expect(lines).toEqual([
      {
        level: "info",
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        service: "test",
        sale_uuid: "1",
        amount: "5",
        msg: "applied",
      },
    ]);
  });

  it("redacts fields, also those of child loggers", () => {
    const { logger, lines } = captureLog();
    logger
      .child({ part: "auth" })
      .child({ email: "a@b.test" })
      .warn({ headers: { authorization: "Bearer x" } }, "refused");
    expect(lines[0]).toMatchObject({
      part: "auth",
      email: "[redacted]",
      headers: { authorization: "[redacted]" },
      msg: "refused",
    });
  });

  it("takes an error alone", () => {
    const { logger, lines } = captureLog();
    logger.error(new RangeError("too far"));
    expect(lines[0]).toMatchObject({ level: "error", msg: "too far", err: { type: "RangeError", message: "too far" } });
  });

  it("leaves out what is below its level", () => {
    const written: string[] = [];
    const logger = createLogger({
      service: "test",
      level: "warn",
      destination: { write: (line) => void written.push(line) },
    });
    logger.info("quiet");
    logger.warn("loud");
    expect(written).toHaveLength(1);
  });
});

describe("logLevel", () => {
  it("reads LOG_LEVEL", () => {
    expect(logLevel(new Env({}))).toBe("info");
    expect(logLevel(new Env({ LOG_LEVEL: "debug" }))).toBe("debug");
    expect(() => logLevel(new Env({ LOG_LEVEL: "loud" }))).toThrow(ConfigError);
  });
});
