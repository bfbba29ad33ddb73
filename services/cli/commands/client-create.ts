import { randomUUID } from "node:crypto";
import { LogoShape } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import { UsageError } from "../base/cli-error.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { readLogoFile } from "../input/read-logo-file.ts";
import { inFlagWords } from "../output/flag-words.ts";
import { write } from "../output/write.ts";

interface Logo {
  readonly shape: LogoShape;
  readonly image: Uint8Array<ArrayBuffer>;
}

const FLAGS = {
  sale_uuid: ["sale"],
  client_uuid: ["uuid"],
  name: ["name"],
  redirect_uris: ["redirect-uri"],
  scopes: ["require-scope", "optional-scope"],
};

/** Prints only the UUID, so that scripts can use it. */
export const clientCreate: Command = {
  name: "client create",
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
  async run(input, context) {
    const saleUuid = required(input, "sale");
    const definition = definitionOf(input);
    // Read first, so that nothing is created if a file is missing.
    const logos = await readLogos(input);
    const clientUuid = input.text("uuid") ?? randomUUID();
    await create(context, { clientUuid, saleUuid, definition }, logos).catch((error: unknown) => {
      throw inFlagWords(error, FLAGS, input);
    });
    await write(context.output, `${clientUuid}\n`);
  },
};

async function create(
  { applications, signal }: CliContext,
  request: { clientUuid: string; saleUuid: string; definition: ReturnType<typeof definitionOf> },
  logos: readonly Logo[],
): Promise<void> {
  await applications.createClient(request, { signal });
  for (const logo of logos) await applications.setLogo({ clientUuid: request.clientUuid, ...logo }, { signal });
}

function definitionOf(input: CommandInput) {
  const scopes = (option: string, isRequired: boolean) =>
    input.texts(option).map((scope) => ({ scope, required: isRequired }));
  return {
    name: required(input, "name"),
    redirectUris: [...input.texts("redirect-uri")],
    scopes: [...scopes("require-scope", true), ...scopes("optional-scope", false)],
  };
}

async function readLogos(input: CommandInput): Promise<readonly Logo[]> {
  const files = [
    { shape: LogoShape.SQUARE, path: input.text("square-logo") },
    { shape: LogoShape.WIDE, path: input.text("wide-logo") },
  ];
  const logos: Logo[] = [];
  for (const { shape, path } of files) {
    if (path !== undefined) logos.push({ shape, image: await readLogoFile(path) });
  }
  return logos;
}

function required(input: CommandInput, option: string): string {
  const text = input.text(option);
  if (text === undefined) throw new UsageError(`--${option} is missing`);
  return text;
}
