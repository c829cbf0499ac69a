// A ring as one would write it first: hash every point, sort them, then hash every letter and
// search. It counts on the ring alone, where the widget also counts modulo and rendezvous.
// The benchmark runs it in the same browser, in the same run, as the measure of "quick".
((letters, towers, points, steps) => {
  const hash = (text) => {
    let h = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    h ^= h >>> 16;
    h = Math.imul(h, 0x85ebca6b);
    h ^= h >>> 13;
    h = Math.imul(h, 0xc2b2ae35);
    return (h ^ (h >>> 16)) >>> 0;
  };
  const ring = (n, points) => {
    const all = [];
    for (let t = 1; t <= n; t++) for (let i = 0; i < points; i++) all.push({ at: hash(`T-${t}#${i}`), tower: t });
    return all.sort((a, b) => a.at - b.at);
  };
  const owner = (ring, letter) => {
    const h = hash(letter);
    let low = 0;
    let high = ring.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ring[middle].at < h) low = middle + 1;
      else high = middle;
    }
    return ring[low === ring.length ? 0 : low].tower;
  };
  const names = Array.from({ length: letters }, (_, i) => `letter-${i}`);
  let before = ring(towers, points);
  let was = names.map((name) => owner(before, name));
  const times = [];
  let moved = 0;
  for (let step = 0; step < steps; step++) {
    const begun = performance.now();
    const after = ring(towers + 1 - (step % 2), points);
    const is = names.map((name) => owner(after, name));
    moved = 0;
    const load = new Map();
    for (let i = 0; i < letters; i++) {
      if (is[i] !== was[i]) moved++;
      load.set(is[i], (load.get(is[i]) ?? 0) + 1);
    }
    was = is;
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return { median: times[times.length >> 1], moved };
})
