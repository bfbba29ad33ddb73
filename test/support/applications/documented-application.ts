import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pngImage } from "../../../services/auth/testing/images.ts";
import { startProcess } from "../processes/child-process.ts";
import { type EmbeddedTidemark, startEmbedded } from "../processes/embedded.ts";
import { freePort } from "../processes/free-port.ts";
import { runShell } from "../processes/shell.ts";
import { temporaryFolder } from "../processes/temporary-folder.ts";
import { onlyCodeBlock } from "../repository/markdown.ts";
import { REPOSITORY_ROOT, readRepository } from "../repository/repository.ts";

/** The embedded Tidemark, for the examples of documents about applications. */
export interface DocumentedDeployment {
  readonly tidemark: EmbeddedTidemark;
  readonly issuer: string;
  readonly mailFolder: string;
  /** A folder for files of the examples, with the project's libraries. */
  readonly folder: string;
  /** The port in place of 3000, which no application has taken yet. */
  readonly port: number;
  /** Replaces the ports of a document by those of this deployment. */
  here(text: string): string;
  /** Runs the commands by which a document registers its application. @returns the `client_id`, which they print last */
  register(document: string): Promise<string>;
  /** Starts a document's program in the folder of the examples. @param ready the line that says that it has started */
  startProgram(code: string, env: Readonly<Record<string, string>>, ready: RegExp): ReturnType<typeof startProcess>;
  stop(): Promise<void>;
}

export async function startDocumentedDeployment(): Promise<DocumentedDeployment> {
  const folder = await temporaryFolder();
  const [authPort, port] = [await freePort(), await freePort()];
  const tidemark = await startEmbedded("node", {
    DATA_DIR: folder.path,
    DEMO_CHAIN: "off",
    AUTH_PORT: `${authPort}`,
  });
  const issuer = `http://localhost:${new URL(tidemark.publicReadUrl).port}`;
  await symlink(join(REPOSITORY_ROOT, "node_modules"), join(folder.path, "node_modules"));
  await writeFile(join(folder.path, "square.png"), pngImage(64, 64));
  await writeFile(join(folder.path, "wide.png"), pngImage(192, 64));
  const here = (text: string) =>
    text
      .replaceAll("http://localhost:8080", issuer)
      .replaceAll(/(?<=localhost:)3000|3000(?=, "localhost")/g, `${port}`);
  return {
    tidemark,
    issuer,
    mailFolder: join(folder.path, "mail"),
    folder: folder.path,
    port,
    here,
    async register(document) {
      const commands = onlyCodeBlock(readRepository(document), "console").replaceAll(/^\$ /gm, "");
      const env = { DATA_DIR: folder.path, AUTH_RPC_URL: `http://127.0.0.1:${authPort}`, HOME: folder.path };
      const settings = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`);
      const script = commands.replaceAll("$PWD/", `${folder.path}/`);
      return (await runShell([...settings, here(script)].join("\n"))).trim().split("\n").at(-1) ?? "";
    },
    startProgram(code, env, ready) {
      const args = ["--input-type=module", "--eval", here(code)];
      return startProcess({ command: "node", args, env, ready, cwd: folder.path });
    },
    async stop() {
      await tidemark.stop();
      await folder.remove();
    },
  };
}
