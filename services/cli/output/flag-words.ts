import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { callerRefusal } from "../../../common/platform/rpc/identity/caller-refusal.ts";
import type { Command, CommandInput, FlagsOfFields } from "../base/command.ts";

/** The parts of a command that say what people call a field. */
type CommandWords = Pick<Command, "flags" | "positionals">;

/**
 * Returns a refusal whose violations name the command's options and positionals instead of the request's fields; any other
 * error as it is. A field keeps its name if the command was given none of its options, since it then comes from a file.
 */
export function inFlagWords(error: unknown, { flags = {}, positionals }: CommandWords, input: CommandInput): unknown {
  const refusal = toServiceError(error);
  if (refusal === undefined || refusal.violations.length === 0 || callerRefusal(error) !== undefined) return error;
  const violations = refusal.violations.map((violation) => ({
    ...violation,
    field: flagOf(violation.field, flags, input) ?? positionalOf(violation.field, positionals) ?? violation.field,
  }));
  return new ServiceError(refusal.code, refusal.message, { violations, cause: error });
}

function flagOf(field: string, flags: FlagsOfFields, input: CommandInput): string | undefined {
  const path = field.replace(/^definition\./, "").replaceAll(/\[\d+\]/g, "");
  const flagged = Object.keys(flags).find((name) => path === name || path.startsWith(`${name}.`));
  const options = flagged === undefined ? [] : (flags[flagged] ?? []);
  const given = options.find((option) => input.text(option) !== undefined || input.flag(option));
  const isFromFile = input.text("file") !== undefined;
  const option = given ?? (isFromFile ? undefined : options[0]);
  return option === undefined ? undefined : `--${option}`;
}

/** The positional of a field of the same name, or of one that ends with it, as `sale_uuid` does with `UUID`. */
function positionalOf(field: string, positionals: readonly string[]): string | undefined {
  return positionals.find((positional) => `_${field}`.endsWith(`_${positional.toLowerCase().replaceAll("-", "_")}`));
}
