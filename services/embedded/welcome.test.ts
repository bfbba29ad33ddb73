import { describe, expect, it } from "vitest";
import { AUCTION, FIXED_PRICE } from "../demo/demo-sales.ts";
import { Env } from "../shared/config/env.ts";
import { embeddedConfig } from "./config.ts";
import { type WelcomeOptions, welcome } from "./welcome.ts";

const optionsOf = (variables: Record<string, string> = {}): WelcomeOptions => ({
  ...embeddedConfig(new Env(variables)),
  host: "127.0.0.1",
  ports: { gateway: 8080, admin: 9090, rpc: 8081 },
});

describe("the welcome", () => {
  it("tells every address, and where the data are", () => {
    const text = welcome(optionsOf());
    expect(text).toContain("public read: http://127.0.0.1:8080/svc/v1/public/read-commitment-data");
    expect(text).toContain("http://127.0.0.1:9090/healthz");
    expect(text).toContain("http://127.0.0.1:8081");
    expect(text).toContain("data: data/commitments.sqlite");
  });

  it("shows how to read a demo sale", () => {
    const text = welcome(optionsOf({ PUBLIC_PATH_PREFIX: "live" }));
    expect(text).toContain(AUCTION.uuid);
    expect(text).toContain(FIXED_PRICE.uuid);
    expect(text).toContain(
      `curl -s http://127.0.0.1:8080/live/v1/public/read-commitment-data -H 'content-type: application/json' -d '{"SaleUUID":"${AUCTION.uuid}"}'`,
    );
  });

  it("names no demo sale where there is none", () => {
    const text = welcome(optionsOf({ DEMO: "off" }));
    expect(text).toContain("no demo sale (DEMO=off)");
    expect(text).not.toContain(AUCTION.uuid);
  });

  it("writes IPv6 addresses in brackets", () => {
    expect(welcome({ ...optionsOf(), host: "::1" })).toContain("http://[::1]:8080/");
  });

  it("never shows the database's password", () => {
    const text = welcome(optionsOf({ MYSQL_URL: "mysql://tidemark:secret@db/tidemark" }));
    expect(text).toContain("data: MySQL");
    expect(text).not.toContain("secret");
  });
});
