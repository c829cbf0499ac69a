import { afterLeaving } from "./leaving.ts";
import { PrintPage } from "./print-page.ts";
import { TakeLeave } from "./take-leave.ts";
import { ThemeToggle } from "./theme-toggle.ts";
import { WhoReads } from "./who-reads.ts";

afterLeaving();
customElements.define("theme-toggle", ThemeToggle);
customElements.define("print-page", PrintPage);
customElements.define("who-reads", WhoReads);
customElements.define("take-leave", TakeLeave);
