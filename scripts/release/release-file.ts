import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../test/run-command.ts";

export const RELEASE_FILE = "deploy/release.yaml";
export const RELEASE_PATH = join(ROOT, RELEASE_FILE);

/** Values of deploy/release.yaml. */
export interface ReleaseFile {
  /** https address of the repository, without a slash at its end. */
  readonly home: string;
  /** Host of the registry for image and chart. */
  readonly imageRegistry: string;
  /** The owner's name in the registry, of one or more segments. */
  readonly scope: string;
  /** Image of the program that builds images. */
  readonly buildkit: string;
  /** Image of the program that lists an image's packages. */
  readonly sbomGenerator: string;
}

const FORMS: Readonly<Record<keyof ReleaseFile, RegExp>> = {
  home: /^https:\/\/[a-z0-9.-]+(?:\/[\w.-]+)+$/,
  imageRegistry: /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?$/,
  scope: /^[a-z0-9]+(?:[._/-][a-z0-9]+)*$/,
  buildkit: /^\S+$/,
  sbomGenerator: /^\S+$/,
};

/** Reads the text of the release file. @throws Error for a name that is missing or not known, or a value that isn't a text */
export function parseReleaseFile(text: string): ReleaseFile {
  const values: Record<string, unknown> = parse(text) ?? {};
  const names = Object.keys(FORMS);
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`${RELEASE_FILE}: ${unknown} is not known`);
  const wrong = names.find((name) => typeof values[name] !== "string");
  if (wrong !== undefined) throw new Error(`${RELEASE_FILE}: ${wrong} is missing, or not a text`);
  return values as unknown as ReleaseFile;
}

/** One line for each value that is empty or has the wrong form. */
export function releaseFileRefusals(file: ReleaseFile): string[] {
  return Object.entries(FORMS).flatMap(([name, form]) => {
    const value = file[name as keyof ReleaseFile];
    if (value === "") return [`${RELEASE_FILE}: ${name} is empty`];
    return form.test(value) ? [] : [`${RELEASE_FILE}: ${name}: ${value} doesn't match ${form.source}`];
  });
}

/** Repository that the image is pushed to, without tag. */
export function imageName({ imageRegistry, scope }: ReleaseFile): string {
  return `${imageRegistry}/${scope}/tidemark`;
}

/** The registry's folder of charts, in which helm puts the chart under its own name. */
export function chartsName({ imageRegistry, scope }: ReleaseFile): string {
  return `${imageRegistry}/${scope}/charts`;
}
