/** Waits, but no longer than until the browser is on line again, or until it is told to stop. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const life = new AbortController();
    const go = (): void => {
      clearTimeout(timer);
      life.abort();
      done();
    };
    const timer = window.setTimeout(go, ms);
    window.addEventListener("online", go, { signal: life.signal });
    signal?.addEventListener("abort", go, { signal: life.signal });
  });
}
