import { KeyStatusSchema, type SigningKey } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { enumName } from "../../shared/encoding/enum-name.ts";
import type { Command } from "../base/command.ts";
import { alignColumns } from "../output/align-columns.ts";
import { timeText } from "../output/time-text.ts";
import { write } from "../output/write.ts";

export const keysList: Command = {
  name: "keys list",
  positionals: [],
  summary: "list the keys that sign tokens",
  options: {},
  async run(_, { keys, output, signal }) {
    await write(output, `${keyTable((await keys.listKeys({}, { signal })).keys)}\n`);
  },
};

export const keysRotate: Command = {
  name: "keys rotate",
  positionals: [],
  summary: "make the next key sign tokens from now on",
  details:
    "Of both algorithms: ES256 for access tokens, RS256 for ID tokens. The previous key stays in the JWKS until the last token that it signed has expired. Refused for 15 minutes after a " +
    "rotation, because verifiers may not know the next key yet.",
  options: {},
  async run(_, { keys, output, signal }) {
    await write(output, `${keyTable((await keys.rotateKeys({}, { signal })).keys)}\n`);
  },
};

function keyTable(keys: readonly SigningKey[]): string {
  const rows = keys.map(({ keyId, algorithm, status, createdAt, activatedAt, retiredAt }) => [
    keyId,
    // An auth service of the version before has only these.
    algorithm || "ES256",
    enumName(KeyStatusSchema, status) ?? "unknown",
    ...[createdAt, activatedAt, retiredAt].map(timeText),
  ]);
  return alignColumns([["KEY ID", "ALGORITHM", "STATUS", "CREATED", "SIGNS SINCE", "RETIRED"], ...rows]);
}
