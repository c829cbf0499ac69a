// Measures the widget as a reader meets it: from the input to the counters' new text, through the
// worker and back. What the worker alone took is the element's own word.
(async (steps) => {
  const ring = document.querySelector("tower-ring");
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  // The picture is painted by other threads after its frame; the next step is measured when five
  // frames in a row came in time, as they do long before a reader presses again.
  const calm = async () => {
    for (let inTime = 0, last = performance.now(); inTime < 5; ) {
      await frame();
      const now = performance.now();
      inTime = now - last < 25 ? inTime + 1 : 0;
      last = now;
    }
  };
  while (!ring.dataset.shown) await frame();
  const dial = ring.querySelector(".dial input");
  const panel = ring.querySelector(".tr-panel");
  const press = (act) => ring.querySelector(`[data-act=${act}]`).click();
  const slide = (points) => {
    dial.value = points;
    dial.dispatchEvent(new Event("input", { bubbles: true }));
    dial.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const measure = async (act) => {
    const shown = ring.dataset.shown;
    const told = new Promise((done) => {
      const watcher = new MutationObserver(() => {
        watcher.disconnect();
        done(performance.now());
      });
      watcher.observe(panel, { childList: true, subtree: true });
    });
    const begun = performance.now();
    act();
    const time = (await told) - begun;
    while (ring.dataset.shown === shown) await frame();
    await calm();
    return [time, Number(ring.dataset.took)];
  };
  const start = Number(dial.value);
  const rounds = { slide: [], add: [] };
  press("add");
  await calm();
  for (let i = 0; i < steps; i++) rounds.slide.push(await measure(() => slide(start - 1 - (i % 40))));
  slide(start);
  await calm();
  for (let i = 0; i < steps; i++) {
    await measure(() => press("remove"));
    rounds.add.push(await measure(() => press("add")));
  }
  const median = (all, k) => all.map((r) => r[k]).sort((a, b) => a - b)[all.length >> 1];
  return {
    slide: median(rounds.slide, 0), slideWorker: median(rounds.slide, 1),
    add: median(rounds.add, 0), addWorker: median(rounds.add, 1),
  };
})
