/**
 * Hooks for React, made of the functions that they need, so that this package depends on no version of React.
 *
 * @module
 */
import {
  type Connection,
  type FeedState,
  follow,
  type SaleFacts,
  type Server,
  type Snapshot,
  TidemarkError,
} from "./index.ts";

/** The functions of React that the hooks use; pass the module `react` itself. */
export interface ReactFunctions {
  useState<S>(initial: S): [S, (next: S | ((before: S) => S)) => void];
  useEffect(effect: () => (() => void) | undefined, dependencies: readonly unknown[]): void;
}

/** A sale as it is followed. */
export interface FollowedSale {
  /** Undefined until the first figures arrive. */
  readonly snapshot?: Snapshot;
  readonly state?: FeedState;
  /** The sale itself; undefined where only polling gets through. */
  readonly sale?: SaleFacts;
  readonly connection?: Connection;
  /** Why it isn't followed any more, such as `not_found`. */
  readonly error?: TidemarkError;
}

/** A call's progress. */
export interface CallState<T> {
  readonly isLoading: boolean;
  readonly data?: T;
  readonly error?: TidemarkError;
}

/** The hooks. */
export interface Hooks {
  /** Follows a sale while the component is there. */
  useSale(server: Server, saleUuid: string): FollowedSale;
  /** Makes a call now, and again when a dependency has changed; the answer of an earlier one is then ignored. */
  useCall<T>(call: (signal: AbortSignal) => Promise<T>, dependencies: readonly unknown[]): CallState<T>;
}

/** Makes the hooks: `const { useSale, useCall } = createHooks(React)`. */
export function createHooks({ useState, useEffect }: ReactFunctions): Hooks {
  return {
    useSale: ({ url, prefix, fetch }, saleUuid) => {
      const [sale, setSale] = useState<FollowedSale>({});
      useEffect(() => {
        const set = (fields: FollowedSale) => setSale((before) => ({ ...before, ...fields }));
        setSale({});
        return abortable((signal) => {
          const server = { url, ...(prefix !== undefined && { prefix }), ...(fetch && { fetch }) };
          const followed = follow(server, saleUuid, {
            signal,
            onData: (snapshot) => set({ snapshot }),
            onState: (state) => set({ state }),
            onSale: (sale) => set({ sale }),
            onConnection: (connection) => set({ connection }),
          });
          return followed.catch((error) => set({ error: tidemarkError(error) }));
        });
      }, [url, prefix, fetch, saleUuid]);
      return sale;
    },
    useCall: <T>(call: (signal: AbortSignal) => Promise<T>, dependencies: readonly unknown[]) => {
      const [state, setState] = useState<CallState<T>>({ isLoading: true });
      useEffect(() => {
        setState({ isLoading: true });
        return abortable(async (signal) => {
          const next = await call(signal).then(
            (data) => ({ isLoading: false, data }),
            (error) => ({ isLoading: false, error: tidemarkError(error) }),
          );
          if (!signal.aborted) setState(next);
        });
      }, dependencies);
      return state;
    },
  };
}

/** Begins work. @returns a function that ends it */
function abortable(work: (signal: AbortSignal) => Promise<void>): () => void {
  const controller = new AbortController();
  void work(controller.signal);
  return () => controller.abort();
}

function tidemarkError(error: unknown): TidemarkError {
  if (error instanceof TidemarkError) return error;
  return new TidemarkError("unknown", error instanceof Error ? error.message : String(error), { cause: error });
}
