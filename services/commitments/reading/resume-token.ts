import { invalidArgument } from "../../../common/platform/errors/service-error.ts";

/** Revision of a sale, which counts within its generation. */
export interface SaleVersion {
  readonly generation: string;
  readonly revision: bigint;
}

const TOKEN = /^([0-9a-f]{16})-(0|[1-9][0-9]{0,18})$/;

export function resumeToken({ generation, revision }: SaleVersion): string {
  return `${generation}-${revision}`;
}

/** @returns undefined for the empty token. @throws ServiceError `invalid_argument` */
export function parseResumeToken(token: string): SaleVersion | undefined {
  if (token === "") return undefined;
  const [, generation, revision] = TOKEN.exec(token) ?? [];
  if (generation !== undefined && revision !== undefined) return { generation, revision: BigInt(revision) };
  const message = "must be the resume token of a message of such a stream";
  throw invalidArgument([{ field: "resume_token", rule: "resume_token.unknown", message }]);
}

export function isSameVersion(one: SaleVersion | undefined, other: SaleVersion | undefined): boolean {
  return one?.generation === other?.generation && one?.revision === other?.revision;
}
