import { enumName } from "../../../common/platform/encoding/enum-name.ts";
import { KeyStatusSchema, type SigningKey } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { CommandFailure, UsageError } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { alignColumns } from "../output/align-columns.ts";
import { timeText } from "../output/time-text.ts";
import { write } from "../output/write.ts";

export const signingKeyList: Command = {
  name: "signing-key list",
  positionals: [],
  summary: "list the keys that sign tokens",
  options: {},
  async run(_, { signingKeys, output, signal }) {
    await write(output, `${keyTable((await signingKeys.listKeys({}, { signal })).keys)}\n`);
  },
};

export const signingKeyRotate: Command = {
  name: "signing-key rotate",
  positionals: [],
  summary: "make the next key sign tokens from now on",
  details:
    "Of both algorithms: ES256 for access tokens, RS256 for ID tokens. The previous key stays in the JWKS until the last token that it signed has expired. Refused for 15 minutes after a " +
    "rotation, because verifiers may not know the next key yet.",
  options: {},
  async run(_, { signingKeys, output, signal }) {
    await write(output, `${keyTable((await signingKeys.rotateKeys({}, { signal })).keys)}\n`);
  },
};

export const signingKeyRemove: Command = {
  name: "signing-key remove",
  positionals: [],
  summary: "remove a leaked key that signs tokens: all that it signed is refused",
  details: `The key leaves the JWKS at once, and all processes refuse what it signed within ten seconds. If it was the active one, the next one
signs from then on, or with --all a new one. Applications must refresh their access tokens; refresh tokens and sessions stay valid, as they are
not signed. Without --yes nothing is removed, and the command prints what would be.`,
  options: {
    key: { type: "string", value: "KEY-ID", help: "this key of `signing-key list`; --key=KEY-ID if it begins with -" },
    all: { type: "boolean", help: "all keys: the database and KEY_ENCRYPTION_KEY have leaked" },
    yes: { type: "boolean", help: "remove them" },
  },
  flags: { key_id: ["key"], which: ["key", "all"] },
  async run(input, { signingKeys, output, signal }) {
    const [keyId, dryRun] = [input.text("key"), !input.flag("yes")];
    if (input.flag("all") === (keyId !== undefined)) throw new UsageError("expected either --key=KEY-ID or --all");
    const which =
      keyId === undefined ? { case: "all" as const, value: true } : { case: "keyId" as const, value: keyId };
    const answer = await signingKeys.removeKeys({ which, dryRun }, { signal });
    const title = dryRun ? "would be removed:" : "removed:";
    await write(output, `${title}\n${keyTable(answer.removed)}\n`);
    if (dryRun) throw new CommandFailure("nothing was removed; repeat it with --yes");
    await write(output, `kept:\n${keyTable(answer.keys)}\n`);
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
