import { describe, expect, it } from "vitest";
import type { LogLevel } from "../../log/log.ts";
import { captureLog } from "../../testing/log-capture.ts";
import { SERVICE_ISSUER, serviceIssuer } from "../../testing/service-issuer.ts";
import { refusalLog } from "./refusal-log.ts";

const GATEWAY = "system:serviceaccount:tidemark:gateway";
const EXPECTED = { issuer: "https://issuer.example", audience: "tidemark.auth", subjects: [GATEWAY] };

async function given(level: LogLevel) {
  const { logger, lines } = captureLog();
  logger.level = level;
  const log = refusalLog({ ...EXPECTED, subjects: new Map([[GATEWAY, "gateway"]]), logger });
  const issuer = await serviceIssuer();
  const token = (claims: object = {}) => issuer.sign({ aud: ["tidemark.commitments"], sub: "somebody", ...claims });
  return { lines, log, token };
}

describe("refusalLog", () => {
  it("shows expected and received issuer, audience and subject at debug", async () => {
    const { lines, log, token } = await given("debug");
    log(await token(), 'unexpected "iss" claim value');
    expect(lines).toMatchObject([
      {
        level: "debug",
        msg: "a caller token is refused",
        reason: 'unexpected "iss" claim value',
        expected: EXPECTED,
        received: { issuer: SERVICE_ISSUER, audience: '["tidemark.commitments"]', subject: "somebody" },
      },
    ]);
  });

  it("shows the issuers at info, once a minute", async () => {
    const { lines, log, token } = await given("info");
    for (const _ of Array(3)) log(await token(), 'unexpected "iss" claim value');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: "info",
      reason: 'unexpected "iss" claim value',
      expected: { issuer: EXPECTED.issuer },
      received: { issuer: SERVICE_ISSUER },
    });
    expect(JSON.stringify(lines)).not.toMatch(/somebody|tidemark\./);
  });

  it("shows at most ten issuers a minute, of at most 200 characters", async () => {
    const { lines, log, token } = await given("info");
    for (const index of Array(20).keys()) log(await token({ iss: `${index}-${"x".repeat(1_000)}` }), "no");
    expect(lines.map(({ received }) => (received as { issuer: string }).issuer.length)).toEqual(Array(10).fill(200));
  });

  it.each(["no token", "a.b.c", ""])("shows no claims of %j", async (token) => {
    const { lines, log } = await given("debug");
    log(token, "Invalid Compact JWS");
    expect(lines).toMatchObject([{ reason: "Invalid Compact JWS", received: {} }]);
  });
});
