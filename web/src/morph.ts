/**
 * Makes one part of a page into a newer drawing of it and touches only what is different, so
 * that folds stay as the reader left them, and focus and running animations stay too.
 *
 * Elements with the same data-key are the same thing, wherever they have got to.
 */
export function morph(from: Element, to: ParentNode): void {
  const focused = document.activeElement;
  children(from, to);
  if (focused instanceof HTMLElement && focused !== document.activeElement && from.contains(focused)) {
    focused.focus({ preventScroll: true });
  }
}

function children(from: Element, to: ParentNode): void {
  const keyed = new Map<string, Element>();
  for (const child of from.children) {
    const key = keyOf(child);
    if (key) keyed.set(key, child);
  }
  let at = from.firstChild;
  for (const next of [...to.childNodes]) {
    const known = match(next, at, keyed);
    if (!known) {
      from.insertBefore(document.importNode(next, true), at);
      continue;
    }
    if (known === at) at = at.nextSibling;
    else move(from, known, at);
    same(known, next);
  }
  while (at) {
    const rest = at.nextSibling;
    at.remove();
    at = rest;
  }
}

/** What in the page next is a newer drawing of, if anything. */
function match(next: ChildNode, at: ChildNode | null, keyed: ReadonlyMap<string, Element>): ChildNode | undefined {
  const key = keyOf(next);
  if (key) {
    const known = keyed.get(key);
    return known?.nodeName === next.nodeName ? known : undefined;
  }
  return at && at.nodeType === next.nodeType && at.nodeName === next.nodeName && !keyOf(at) ? at : undefined;
}

function same(from: ChildNode, to: ChildNode): void {
  if (from instanceof Element && to instanceof Element) {
    // The reader's own time stands in a clock as long as it shows the same moment.
    if (from.matches("time[data-clock]") && from.getAttribute("datetime") === to.getAttribute("datetime")) return;
    attributes(from, to);
    children(from, to);
  } else if (from instanceof CharacterData && from.data !== to.textContent) {
    from.data = to.textContent ?? "";
  }
}

function attributes(from: Element, to: Element): void {
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  for (const { name } of [...from.attributes]) {
    // Whether a fold is open is the reader's affair.
    if (!to.hasAttribute(name) && name !== "open") from.removeAttribute(name);
  }
}

function keyOf(node: ChildNode): string | undefined {
  return node instanceof HTMLElement ? node.dataset["key"] : undefined;
}

/** Newer browsers can move an element with everything that goes on in it. */
function move(parent: Element & { moveBefore?: (node: Node, before: Node | null) => void }, node: ChildNode, before: ChildNode | null): void {
  if (parent.moveBefore) parent.moveBefore(node, before);
  else parent.insertBefore(node, before);
}
