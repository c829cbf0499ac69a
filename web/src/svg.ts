/** Small tools for elements that are drawn. */

const namespace = "http://www.w3.org/2000/svg";

export type Attributes = Record<string, string | number | undefined>;

/** A new SVG element; attributes that are undefined are left out. */
export function svg(name: string, attributes: Attributes, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/** A new HTML element with a class and text. */
export function html(name: string, className: string, text = ""): HTMLElement {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}

/** The one element inside root that matches; its absence is a fault of the page. */
export function part<E extends Element = HTMLElement>(root: ParentNode, selector: string): E {
  const found = root.querySelector<E>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
