import { ImportError } from "../../../common/sale/csv/import-error.ts";
import { ListFileError } from "../../../common/sale/csv/list-file-error.ts";
import { CommandFailure } from "../base/cli-error.ts";

/** Returns the failure that names a file, for an error about its content or from reading it; any other error as it is. */
export function fileFailure(path: string, error: unknown): unknown {
  if (error instanceof ListFileError && error.line !== undefined) {
    return new CommandFailure(`${path}: line ${error.line}: ${error.message}`);
  }
  const isOfFile = error instanceof ListFileError || error instanceof ImportError || isSystemError(error);
  return isOfFile ? new CommandFailure(`${path}: ${error.message}`) : error;
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && "syscall" in error;
}
