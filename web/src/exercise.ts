import "./index.ts";
import { CodeEditor } from "./code-editor.ts";
import { DraftKeeper } from "./draft-keeper.ts";
import { ExerciseDesk } from "./exercise-desk.ts";
import { HintList } from "./hint-list.ts";
import { LiveResults } from "./live-results.ts";
import { SolutionFold } from "./solution-fold.ts";
import { TryList } from "./try-list.ts";

customElements.define("code-editor", CodeEditor);
customElements.define("draft-keeper", DraftKeeper);
customElements.define("live-results", LiveResults);
customElements.define("hint-list", HintList);
customElements.define("try-list", TryList);
customElements.define("solution-fold", SolutionFold);
// The desk comes last: it finds the others at work.
customElements.define("exercise-desk", ExerciseDesk);
