import { describe, expect, it } from "vitest";
import { type ConfigError, Env } from "../../common/platform/config/env.ts";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { indexedChain } from "../demo/chain/demo-chain.ts";
import { embeddedConfig, withChain, withOwnKeys } from "./config.ts";

const configOf = (variables: Record<string, string> = {}) => embeddedConfig(new Env(variables));

describe("the configuration of the embedded process", () => {
  it("needs no setting", () => {
    expect(configOf()).toMatchObject({
      gateway: { host: "127.0.0.1", port: 8080 },
      commitments: { store: { sqliteFile: "data/commitments.sqlite" } },
      dataDir: "data",
      adminPort: 9090,
      commitmentsPort: 8081,
      indexerPort: 8082,
      indexer: { chains: [] },
      demoChain: true,
      demoChainPort: 0,
      demoAppPort: 3000,
      callerKeys: new Map(),
      demo: true,
      bidIntervalMs: 1_500,
    });
    expect(Object.isFrozen(configOf())).toBe(true);
  });

  it("takes what is set", () => {
    const { key, text } = generateCallerKey();
    const config = configOf({ DEMO: "off", DEMO_BID_INTERVAL: "10ms", CALLER_KEYS: `operator=${text}` });
    expect([config.demo, config.bidIntervalMs]).toEqual([false, 10]);
    expect(config.callerKeys.get("operator")).toEqual([key]);
  });

  it.each([
    ["ADMIN_PORT", "65536"],
    ["COMMITMENTS_PORT", "x"],
    ["CALLER_KEYS", "operator"],
    ["INDEXER_PORT", "x"],
    ["CHAINS", "[]"],
    ["DEMO", "maybe"],
    ["DEMO_CHAIN", "maybe"],
    ["DEMO_CHAIN_PORT", "65536"],
    ["DEMO_APP_PORT", "65536"],
    ["DEMO_BID_INTERVAL", "9ms"],
    ["GATEWAY_PORT", "-1"],
    ["APPLY_MAX_ROWS", "0"],
  ])("refuses %s=%s and names it", (variable, value) => {
    expect(() => configOf({ [variable]: value })).toThrow(expect.objectContaining({ variable }) as ConfigError);
  });
});

describe("withChain", () => {
  const chain = indexedChain({ url: "http://127.0.0.1:40000" });
  const configured = (name: string) => {
    const chains = { [name]: { kind: "evm", chainId: 1, urls: ["http://node"] } };
    return configOf({ CHAINS: JSON.stringify(chains) }).indexer;
  };

  it("adds the demo's chain to those configured", () => {
    expect(withChain(configured("main"), chain).chains.map(({ name }) => name)).toEqual(["main", "local"]);
  });

  it("refuses a configured chain of its name", () => {
    expect(() => withChain(configured("local"), chain)).toThrow(
      expect.objectContaining({ variable: "CHAINS" }) as ConfigError,
    );
  });
});

describe("withOwnKeys", () => {
  const configured = new Uint8Array(32).fill(1);
  const own = new Uint8Array(32).fill(2);

  it("adds the process's own keys to configured ones of the same name", () => {
    const keys = withOwnKeys(new Map([["operator", [configured]]]), { operator: own, gateway: own });
    expect(keys).toEqual(
      new Map([
        ["operator", [configured, own]],
        ["gateway", [own]],
      ]),
    );
  });

  it("leaves the configured ones as they are", () => {
    const keys = new Map([["operator", [configured]]]);
    withOwnKeys(keys, { operator: own, gateway: own });
    expect(keys).toEqual(new Map([["operator", [configured]]]));
  });
});
