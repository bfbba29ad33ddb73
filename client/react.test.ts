import { expect, it } from "vitest";
import { createHooks } from "./react.ts";
import { eventText, fakeFetch, stream } from "./testing/fake-fetch.ts";
import { TidemarkError } from "./tidemark-error.ts";

/** React's two functions for one hook of one component: `render` runs effects whose dependencies have changed. */
function fakeReact() {
  let state: unknown;
  let isSet = false;
  let last: readonly unknown[] | undefined;
  let cleanUp: (() => void) | undefined;
  const hooks = createHooks({
    useState: <S>(initial: S) => {
      if (!isSet) state = initial;
      isSet = true;
      const set = (next: S | ((before: S) => S)) => {
        state = next instanceof Function ? next(state as S) : next;
      };
      return [state as S, set];
    },
    useEffect: (effect, dependencies) => {
      if (last?.every((value, index) => Object.is(value, dependencies[index]))) return;
      cleanUp?.();
      last = dependencies;
      cleanUp = effect();
    },
  });
  return { hooks, state: () => state, unmount: () => cleanUp?.() };
}

it("useSale follows one sale while the component is there, however often it renders", async () => {
  const body = eventText("body", { UniqueCommitmentCount: 1 }, "000000000000000a-1");
  const sale = eventText("sale", { Name: "A sale" });
  const never = new Promise<Response>(() => {});
  const { fetch, requests } = fakeFetch(stream(eventText("state", { Fault: "" }), sale, body), () => never);
  const { hooks, state, unmount } = fakeReact();
  const render = () => hooks.useSale({ url: "https://tidemark.example", fetch }, "sale");
  expect(render()).toEqual({});
  render();
  const snapshot = { data: { UniqueCommitmentCount: 1 }, id: "000000000000000a-1" };
  await expect
    .poll(state)
    .toMatchObject({ snapshot, state: { Fault: "" }, sale: { Name: "A sale" }, connection: "lost" });
  expect(requests).toHaveLength(1);
  unmount();
  expect(requests[0]?.signal?.aborted).toBe(true);
});

it("useCall makes a call anew for other dependencies, and ignores the answer of an earlier one", async () => {
  const { hooks, state } = fakeReact();
  const answers: PromiseWithResolvers<string>[] = [];
  const render = (dependency: string) =>
    hooks.useCall(() => {
      const answer = Promise.withResolvers<string>();
      answers.push(answer);
      return answer.promise;
    }, [dependency]);
  expect(render("a")).toEqual({ isLoading: true });
  render("a");
  render("b");
  answers[1]?.resolve("of b");
  await expect.poll(state).toEqual({ isLoading: false, data: "of b" });
  answers[0]?.resolve("of a");
  render("c");
  answers[2]?.reject(new TidemarkError("not_found", ""));
  await expect.poll(state).toEqual({ isLoading: false, error: expect.any(TidemarkError) });
  expect(answers).toHaveLength(3);
});
