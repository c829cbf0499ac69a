import { PrintPage } from "./print-page.ts";
import { ThemeToggle } from "./theme-toggle.ts";

customElements.define("theme-toggle", ThemeToggle);
customElements.define("print-page", PrintPage);
