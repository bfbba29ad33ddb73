import type { Command } from "../base/command.ts";
import { readJsonFile } from "../input/json-file.ts";
import { write } from "../output/write.ts";
import { clientText } from "./application-text.ts";
import { requiredClient } from "./required-application.ts";
import { changedSecurity, SECURITY_FLAGS, SECURITY_OPTIONS } from "./security-options.ts";

export const clientSecurity: Command = {
  name: "client security",
  positionals: ["UUID"],
  summary: "change what an application must do to get tokens, its public keys, and where users go after a sign-out",
  details:
    "What isn't named stays as it is. Shows the application as it is then. The owners get a mail if a change weakens it.",
  options: SECURITY_OPTIONS,
  flags: SECURITY_FLAGS,
  async run(input, { applications, output, signal }) {
    const [clientUuid = ""] = input.positionals;
    const file = input.text("jwks");
    const jwks = file === undefined ? undefined : JSON.stringify(await readJsonFile(file));
    const change = changedSecurity(input, jwks);
    const { definition, version } = requiredClient(await applications.getClient({ clientUuid }, { signal }));
    const { name = "", redirectUris = [], scopes = [], security } = definition ?? {};
    const { $typeName: _, ...kept } = security ?? {};
    const request = { name, redirectUris, scopes, security: { ...kept, ...change } };
    const changed = await applications.updateClient(
      { clientUuid, definition: request, expectedVersion: version },
      { signal },
    );
    await write(output, `${clientText(requiredClient(changed))}\n`);
  },
};
