/** The list of sections beside a lesson: marks the one that is being read. */
export class LessonContents extends HTMLElement {
  #watcher: IntersectionObserver | undefined;

  connectedCallback(): void {
    const links = new Map<Element, HTMLAnchorElement>();
    for (const link of this.querySelectorAll<HTMLAnchorElement>("a[href^='#']")) {
      const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      if (heading) links.set(heading, link);
    }
    // A heading counts as read once it has passed the upper third of the window.
    this.#watcher = new IntersectionObserver(() => this.#mark(links), { rootMargin: "0px 0px -66% 0px" });
    for (const heading of links.keys()) this.#watcher.observe(heading);
    this.#mark(links);
  }

  disconnectedCallback(): void {
    this.#watcher?.disconnect();
  }

  #mark(links: ReadonlyMap<Element, HTMLAnchorElement>): void {
    let here: HTMLAnchorElement | undefined;
    for (const [heading, link] of links) {
      if (heading.getBoundingClientRect().top < window.innerHeight / 3) here = link;
    }
    for (const link of links.values()) {
      if (link === here) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }
}
