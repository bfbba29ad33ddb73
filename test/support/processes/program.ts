import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Debian keeps servers in sbin, which isn't on every user's PATH. */
const SERVER_FOLDERS = ["/usr/sbin", "/usr/local/sbin"];

/** The library by which MariaDB servers replicate to each other. */
export const GALERA_PROVIDER = "/usr/lib/galera/libgalera_smm.so";

/** The full path of a program on PATH or in the usual server folders, or undefined where it isn't installed. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...SERVER_FOLDERS];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Path of a program, as `findProgram` finds it. @throws Error if it isn't installed */
export function requireProgram(name: string): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`${name} is not installed`);
  return path;
}

/** Programs that don't have the name of their Debian package. */
const PROGRAMS: Readonly<Record<string, string>> = { "mariadb-server": "mariadbd" };

/** Debian packages without a program, by a file of theirs. */
const FILES: Readonly<Record<string, string>> = { "galera-4": GALERA_PROVIDER };

/** The program that shows that a Debian package is installed. */
export function programOf(debianPackage: string): string {
  return PROGRAMS[debianPackage] ?? debianPackage;
}

/** Whether a Debian package is installed, or its program by other means. */
export function isInstalled(debianPackage: string): boolean {
  const file = FILES[debianPackage];
  return file === undefined ? findProgram(programOf(debianPackage)) !== undefined : existsSync(file);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
