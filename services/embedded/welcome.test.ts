import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Env } from "../../common/platform/config/env.ts";
import { AUCTION, CONTINUOUS, FIXED_PRICE } from "../demo/sales/demo-sales.ts";
import { embeddedConfig } from "./config.ts";
import { type WelcomeOptions, welcome } from "./welcome.ts";

/** The verifier of RFC 7636 appendix B. */
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const application = {
  origin: "http://localhost:3000",
  redirectUri: "http://localhost:3000/oauth/callback",
  isRunning: true,
};

const optionsOf = (variables: Record<string, string> = {}): WelcomeOptions => ({
  ...embeddedConfig(new Env(variables)),
  auth: { issuer: "http://localhost:8080", mail: { from: { name: "", address: "a@b.example" }, folder: "data/mail" } },
  isTerminal: false,
  host: "127.0.0.1",
  ports: { gateway: 8080, admin: 9090, rpc: 8081, indexer: 8082, auth: 8083, entities: 8084 },
  runningDemo: {
    application,
    auctionMoves: true,
    chain: { running: true, url: "http://127.0.0.1:40000", contract: "0xc0" },
  },
});

describe("the welcome", () => {
  it("shows every address, and the place of the data", () => {
    const text = welcome(optionsOf());
    expect(text).toContain("public read: http://127.0.0.1:8080/svc/v1/public/read-commitment-data");
    expect(text).toContain("http://127.0.0.1:9090/healthz");
    expect(text).toContain(
      "http://127.0.0.1:8081; of the indexer: http://127.0.0.1:8082; of auth: http://127.0.0.1:8083; of entities: http://127.0.0.1:8084",
    );
    expect(text).toContain("sign-in: http://localhost:8080/account; its mails: data/mail");
    expect(text).toContain("local chain: http://127.0.0.1:40000, with the auction's contract 0xc0");
    expect(text).toContain("data: data/commitments.sqlite");
  });

  it("shows how to read a demo sale", () => {
    const text = welcome(optionsOf({ PUBLIC_PATH_PREFIX: "live" }));
    expect(text).toContain(AUCTION.uuid);
    expect(text).toContain(FIXED_PRICE.uuid);
    expect(text).toContain(
      `their live pages: http://127.0.0.1:8080/sales/${AUCTION.uuid}, http://127.0.0.1:8080/sales/${FIXED_PRICE.uuid}, http://127.0.0.1:8080/sales/${CONTINUOUS.uuid}`,
    );
    expect(text).toContain(
      `curl -s http://127.0.0.1:8080/live/v1/public/read-commitment-data -H 'content-type: application/json' -d '{"SaleUUID":"${AUCTION.uuid}"}'`,
    );
  });

  it("names no demo sale if there is none", () => {
    const { runningDemo: _, ...options } = optionsOf();
    const text = welcome(options);
    expect(text).toContain("no demo sale (DEMO=off)");
    expect(text).not.toContain(AUCTION.uuid);
  });

  it.each([
    [true, "the simulated bidders bid through the RPC", "Simulated bidders are bidding."],
    [false, "the auction, which is on it, doesn't change", "Read the auction:"],
  ])("says why there is no chain, and what that means (the auction moves: %s)", (auctionMoves, meaning, invitation) => {
    const chain = { running: false, absence: "DEMO_CHAIN=off" } as const;
    const text = welcome({ ...optionsOf(), runningDemo: { application, auctionMoves, chain } });
    expect(text).not.toContain(CONTINUOUS.uuid);
    expect(text).toContain(`local chain: none, DEMO_CHAIN=off; ${meaning}`);
    expect(text).toContain(invitation);
  });

  it("says where mails go, and gives a link to sign in", () => {
    expect(welcome({ ...optionsOf(), isTerminal: true })).toContain("its mails: here and in data/mail");
    const text = welcome(optionsOf());
    expect(text).toContain("demo application: http://localhost:3000, which signs you in");
    const link = new URL(/authorize link: (\S+)/.exec(text)?.[1] ?? "");
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      client_id: AUCTION.clientUuid,
      redirect_uri: application.redirectUri,
      code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    });
  });

  it("names the page of the mails, and says how the addresses of a pod at localhost are reached", () => {
    const options = { ...optionsOf(), mailPageUrl: "http://localhost:8025" };
    expect(welcome(options)).toContain("its mails: http://localhost:8025 and in data/mail\n");
    expect(welcome(options)).not.toContain("kubectl");
    const inPod = welcome({ ...options, host: "0.0.0.0" });
    expect(inPod).toContain("its mails: http://localhost:8025 (in a pod: by kubectl port-forward) and in data/mail\n");
    expect(inPod).toContain("demo application: http://localhost:3000 (in a pod: by kubectl port-forward), which");
  });

  it("says that another program has the application's port", () => {
    const runningDemo = { auctionMoves: true, application: { ...application, isRunning: false } } as const;
    const chain = { running: false, absence: "DEMO_CHAIN=off" } as const;
    const text = welcome({ ...optionsOf(), runningDemo: { ...runningDemo, chain } });
    expect(text).toContain("demo application: none, as another program uses http://localhost:3000");
  });

  it("writes IPv6 addresses in brackets", () => {
    expect(welcome({ ...optionsOf(), host: "::1" })).toContain("http://[::1]:8080/");
  });

  it("names the URL to give to the vendor of identity checks, where there is one", () => {
    const identityCallbackUrl = "https://sale.example/svc/v1/identity-callbacks";
    expect(welcome({ ...optionsOf(), identityCallbackUrl })).toContain(
      `callbacks of the identity vendor: ${identityCallbackUrl}`,
    );
    expect(welcome(optionsOf())).not.toContain("vendor");
  });

  it("never shows the database's password", () => {
    const text = welcome(optionsOf({ MYSQL_URL: "mysql://tidemark:secret@db/tidemark" }));
    expect(text).toContain("data: MySQL");
    expect(text).not.toContain("secret");
  });
});
