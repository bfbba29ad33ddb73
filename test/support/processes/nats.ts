import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { freePort } from "./free-port.ts";
import { requireProgram } from "./program.ts";
import { RestartableServer } from "./restartable-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const STORE = "store";

/** A private NATS server with JetStream at 127.0.0.1, without authentication unless it is configured. */
export interface Nats {
  /** `nats://127.0.0.1:<port>` */
  readonly url: string;
  /** ID of the present process; another one after a restart. */
  readonly pid: number;
  /** Ends the server with a signal, SIGKILL by default; its streams stay on disk. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again with another configuration, as a text in the server's own format. */
  configure(configuration: string): Promise<void>;
  /** Starts it again on the same streams and port, after a clean stop where it still runs. */
  restart(): Promise<void>;
  /** Kills it and starts it again without its streams. */
  loseStore(): Promise<void>;
  /** Ends the server and removes its streams. */
  stop(): Promise<void>;
}

/**
 * Starts a NATS server of its own with an empty JetStream store.
 *
 * @param configuration in the server's own format; port and store are already set
 * @throws Error when nats-server isn't installed or doesn't start (with its output).
 */
export async function startNats(configuration = ""): Promise<Nats> {
  const folder = await temporaryFolder();
  try {
    const port = await freePort();
    const file = join(folder.path, "nats.conf");
    await writeFile(file, configuration);
    const address = ["--addr", "127.0.0.1", "--port", String(port)];
    const args = ["--config", file, ...address, "--jetstream", "--store_dir", join(folder.path, STORE)];
    const command = requireProgram("nats-server");
    const server = await RestartableServer.start({ command, args, ready: /Server is ready/ });
    const stop = async () => {
      await server.kill();
      await folder.remove();
    };
    return nats({ server, port, configurationFile: file, stop });
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

interface Parts {
  readonly server: RestartableServer;
  readonly port: number;
  readonly configurationFile: string;
  readonly stop: () => Promise<void>;
}

function nats({ server, port, configurationFile, stop }: Parts): Nats {
  return {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return server.pid;
    },
    kill: (signal) => server.kill(signal),
    configure: async (configuration) => {
      await writeFile(configurationFile, configuration);
      await server.restart();
    },
    loseStore: async () => {
      await server.kill();
      await rm(join(dirname(configurationFile), STORE), { recursive: true, force: true });
      await server.restart();
    },
    restart: () => server.restart(),
    stop,
  };
}
