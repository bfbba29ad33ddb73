import { randomUUID } from "node:crypto";
import { LogoShape } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { readLogoFile } from "../input/read-logo-file.ts";
import { requiredText } from "../input/required-text.ts";
import { inFlagWords } from "../output/flag-words.ts";
import { write } from "../output/write.ts";

interface Logo {
  /** The option that names its file. */
  readonly option: string;
  readonly shape: LogoShape;
  readonly image: Uint8Array<ArrayBuffer>;
}

const LOGO_OPTIONS = [
  { shape: LogoShape.SQUARE, option: "square-logo" },
  { shape: LogoShape.WIDE, option: "wide-logo" },
] as const;

/** Prints only the UUID, so that scripts can use it. */
export const applicationCreate: Command = {
  name: "application create",
  positionals: [],
  summary: "create an application that may sign users in to a sale, and print its UUID",
  details:
    "It can sign users in once it has a redirect URI, a scope and both logos. With --uuid, a repeated call continues " +
    "one that failed.",
  options: {
    sale: { type: "string", value: "UUID", help: "the application's sale" },
    name: { type: "string", value: "TEXT", help: "the name that users see" },
    "redirect-uri": { type: "string", multiple: true, value: "URI", help: "where users return to; may be repeated" },
    "require-scope": {
      type: "string",
      multiple: true,
      value: "SCOPE",
      help: "the user must grant it; may be repeated",
    },
    "optional-scope": {
      type: "string",
      multiple: true,
      value: "SCOPE",
      help: "the user may grant it; may be repeated",
    },
    "square-logo": { type: "string", value: "FILE", help: "PNG, JPEG or WebP, square, at most 200 KB" },
    "wide-logo": { type: "string", value: "FILE", help: "the same, two to six times as wide as high" },
    uuid: { type: "string", value: "UUID", help: "its UUID; random by default" },
  },
  flags: {
    sale_uuid: ["sale"],
    client_uuid: ["uuid"],
    name: ["name"],
    redirect_uris: ["redirect-uri"],
    scopes: ["require-scope", "optional-scope"],
  },
  async run(input, context) {
    const saleUuid = requiredText(input, "sale");
    const definition = definitionOf(input);
    // Read first, so that nothing is created if a file is missing.
    const logos = await readLogos(input);
    const clientUuid = input.text("uuid") ?? randomUUID();
    await context.applications.createClient({ clientUuid, saleUuid, definition }, { signal: context.signal });
    for (const logo of logos) await setLogo(context, clientUuid, logo, input);
    await write(context.output, `${clientUuid}\n`);
  },
};

/** Both logos are the same field of their requests, so which option an error is of is only known here. */
async function setLogo(
  { applications, signal }: CliContext,
  clientUuid: string,
  { option, shape, image }: Logo,
  input: CommandInput,
): Promise<void> {
  await applications.setLogo({ clientUuid, shape, image }, { signal }).catch((error: unknown) => {
    throw inFlagWords(error, { flags: { image: [option] }, positionals: [] }, input);
  });
}

function definitionOf(input: CommandInput) {
  const scopes = (option: string, isRequired: boolean) =>
    input.texts(option).map((scope) => ({ scope, required: isRequired }));
  return {
    name: requiredText(input, "name"),
    redirectUris: [...input.texts("redirect-uri")],
    scopes: [...scopes("require-scope", true), ...scopes("optional-scope", false)],
  };
}

async function readLogos(input: CommandInput): Promise<readonly Logo[]> {
  const logos: Logo[] = [];
  for (const { shape, option } of LOGO_OPTIONS) {
    const path = input.text(option);
    if (path !== undefined) logos.push({ option, shape, image: await readLogoFile(path) });
  }
  return logos;
}
