/** An `AsyncLocalStorage` that keeps nothing: in a browser there is neither a trace nor a call that work belongs to. */
export class AsyncLocalStorage {
  run<Result>(_store: unknown, work: () => Result): Result {
    return work();
  }

  getStore(): undefined {
    return undefined;
  }
}
