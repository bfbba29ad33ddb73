import { parse } from "yaml";
import { readRepository } from "./repository.ts";

/** A service of deploy/compose.yaml, as far as the tests need it. */
export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, null>>;
}

export function readComposeFile(): ComposeFile {
  return parse(readRepository("deploy/compose.yaml"), { merge: true });
}
