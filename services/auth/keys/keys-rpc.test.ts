import { createClient, createRouterTransport } from "@connectrpc/connect";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { KeyService } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { createAuthMetrics } from "../base/auth-metrics.ts";
import { authContext } from "../testing/auth-context.ts";
import { keyMethods } from "./keys-rpc.ts";

it("counts the keys that are removed as leaked, and not those that a dry run lists", async () => {
  const { keysRemoved } = createAuthMetrics(new Registry());
  const methods = keyMethods(await authContext(), { keysRemoved });
  const keys = createClient(
    KeyService,
    createRouterTransport((router) => router.service(KeyService, methods)),
  );
  const counted = async () => (await keysRemoved.get()).values.map(({ value }) => value);
  const all = { which: { case: "all", value: true } } as const;
  const before = (await keys.listKeys({})).keys;
  await keys.removeKeys({ ...all, dryRun: true });
  expect(await counted()).toEqual([0]);
  await keys.removeKeys({ which: { case: "keyId", value: before[0]?.keyId ?? "" } });
  expect(await counted()).toEqual([1]);
  const { removed } = await keys.removeKeys(all);
  expect(await counted()).toEqual([1 + removed.length]);
});
