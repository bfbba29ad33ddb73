import { codeBlocks } from "../repository/markdown.ts";
import { readRepository } from "../repository/repository.ts";

const NAMES = [
  "configure",
  "migrate",
  "runCommitments",
  "runGateway",
  "createSale",
  "configureIndexer",
  "runIndexer",
  "configureAuth",
  "migrateAuth",
  "runAuth",
  "inviteFounder",
  "configureEntities",
  "migrateEntities",
  "runEntities",
  "configureBus",
  "askReadiness",
  "removeKeys",
  "changeKey",
  "rewrapSecrets",
  "backUp",
  "restore",
  "renewGenerations",
] as const;

type Name = (typeof NAMES)[number];

/** Folder and ports for the commands of docs/operating.md. */
export interface OperatingPlace {
  /** The folder for all files that they name. */
  readonly folder: string;
  /** The ports to use instead of those of the document. Another port of the document stays. */
  readonly ports: ReadonlyMap<string, number>;
}

/**
 * The commands of docs/operating.md, word for word but for the place.
 *
 * @throws Error if the document doesn't have as many as this file knows
 */
export function operatingCommands({ folder, ports }: OperatingPlace): Readonly<Record<Name, string>> {
  const blocks = codeBlocks(readRepository("docs/operating.md"), "sh");
  if (blocks.length !== NAMES.length) throw new Error(`docs/operating.md has ${blocks.length} blocks of sh`);
  const here = (code: string) =>
    code
      .replace(/(?<=127\.0\.0\.1:|_PORT=|--port=)\d{4}/g, (port) => `${ports.get(port) ?? port}`)
      .replace(/(?<=--env-file=|_FILE=|[<>] )(?=\w+\.(?:env|json|sql)\b)/g, `${folder}/`);
  return Object.fromEntries(NAMES.map((name, index) => [name, here(blocks[index]?.code ?? "")])) as Record<
    Name,
    string
  >;
}
