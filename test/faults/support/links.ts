import type { Random } from "../../../services/demo/random.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";
import { wait } from "./component-faults.ts";
import type { Fault } from "./fault-injector.ts";

const SLOW = { leastMs: 5, mostMs: 150 };

/** What lies between two parts of a deployment. */
export interface Link {
  readonly name: string;
  readonly proxy: TcpProxy;
}

/** The links of a deployment, which end with its stack. */
export class Links {
  readonly all: Link[] = [];
  readonly #stack: AsyncDisposableStack;

  constructor(stack: AsyncDisposableStack) {
    this.#stack = stack;
  }

  /** @param ports where the link leads to, in turn. @returns the port where it begins */
  async lead(name: string, ...ports: readonly number[]): Promise<number> {
    return (await this.open(name, ...ports)).port;
  }

  /** The same, for one that will lead to other ports, too. */
  async open(name: string, ...ports: readonly number[]): Promise<TcpProxy> {
    const proxy = this.#stack.use(await TcpProxy.start(ports));
    this.all.push({ name, proxy });
    return proxy;
  }
}

/** Faults of one of the links at a time whose name a pattern matches. */
export function linkFaults(links: readonly Link[], pattern: RegExp, random: Random): Fault[] {
  const [first, ...others] = links.filter(({ name }) => pattern.test(name));
  if (first === undefined) throw new Error(`there is no link ${pattern}`);
  const fault = (verb: string, breakLink: (proxy: TcpProxy) => void): Fault => ({
    name: `${first.name.replace(/ \d/, "")} ${verb}`,
    strike: async () => {
      const { proxy } = random.pick([first, ...others]);
      breakLink(proxy);
      await wait(random);
      proxy.mend();
    },
  });
  return [
    fault("cut", (proxy) => proxy.cut()),
    fault("held up", (proxy) => proxy.hold()),
    fault("slow", (proxy) => proxy.slow(random.integer(SLOW.leastMs, SLOW.mostMs))),
  ];
}
