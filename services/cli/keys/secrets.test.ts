import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, createRouterTransport } from "@connectrpc/connect";
import { expect, it } from "vitest";
import {
  type RewrapSecretsResponseSchema,
  SecretService,
} from "../../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import type { CommandInput } from "../base/command.ts";
import { secretsStatus } from "./secrets.ts";

const INPUT: CommandInput = { positionals: ["auth"], text: () => undefined, texts: () => [], flag: () => false };
const KEY_ID = "0123456789abcdef";

type Batch = MessageInitShape<typeof RewrapSecretsResponseSchema>;

/** Runs `secrets status` on a service that answers with batches. @returns what it prints, its failure last */
async function statusOf(...batches: readonly Batch[]): Promise<string> {
  const rest = batches.map((batch, index) => ({
    keyId: KEY_ID,
    nextCursor: index + 1 < batches.length ? "more" : "",
    ...batch,
  }));
  const transport = createRouterTransport((router) =>
    router.service(SecretService, { rewrapSecrets: async () => rest.shift() ?? {} }),
  );
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const auth = createClient(SecretService, transport);
  const context = { secrets: { auth }, output, errors, signal: new AbortController().signal };
  const failure = await secretsStatus.run(INPUT, context as unknown as CliContext).then(
    () => "",
    (error: Error) => error.message,
  );
  output.end();
  return `${await text(output)}${failure}`;
}

const counted = (change: { present?: number; other?: number; unreadable?: number }) => [
  { kind: "signing_key", ...change },
];

it.each<[string, readonly Batch[], string, string]>([
  [
    "of one key that opens everything",
    [{ counts: counted({ present: 4 }), knowsOtherKey: false }],
    "other key not set",
    "the present key opens everything\n",
  ],
  [
    "of one key that doesn't open everything",
    [{ counts: counted({ present: 4, unreadable: 2 }), knowsOtherKey: false }],
    "other key not set",
    "2 aren't opened by the present key: set KEY_ENCRYPTION_KEY_OTHER to the one that wrapped them",
  ],
  [
    "of two keys, of which the present one opens everything",
    [{ counts: counted({ present: 4 }), knowsOtherKey: true }],
    "other key known",
    "the present key opens everything: KEY_ENCRYPTION_KEY_OTHER may be removed if it is the former key\n",
  ],
  [
    "of two keys that are both needed",
    [
      { counts: counted({ present: 1, other: 200 }), knowsOtherKey: true },
      { counts: counted({ other: 1 }), knowsOtherKey: true },
    ],
    "other key known",
    "201 need KEY_ENCRYPTION_KEY_OTHER; run secrets rewrap",
  ],
  [
    "of two keys that don't open everything",
    [{ counts: counted({ other: 1, unreadable: 3 }), knowsOtherKey: true }],
    "other key known",
    "3 are opened by neither key: which one wrapped them?",
  ],
  [
    "of processes of which only some have the other key",
    [
      { counts: counted({ unreadable: 1 }), knowsOtherKey: false },
      { counts: counted({ other: 1 }), knowsOtherKey: true },
    ],
    "other key not set in some processes",
    "1 aren't opened by the present key: set KEY_ENCRYPTION_KEY_OTHER to the one that wrapped them",
  ],
])("secrets status says what is true %s", async (_, batches, keys, end) => {
  const said = await statusOf(...batches);
  expect(said).toContain(`present key ${KEY_ID}, ${keys}\n`);
  expect(said.endsWith(`\n${end}`)).toBe(true);
});
