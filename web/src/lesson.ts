import "./index.ts";
import { LessonContents } from "./lesson-contents.ts";
import { LessonNotes } from "./lesson-notes.ts";
import { LessonReading } from "./lesson-reading.ts";
import { PredictCard } from "./predict-card.ts";
import { QuizQuestion } from "./quiz-question.ts";
import { TowerRing } from "./tower-ring.ts";

customElements.define("tower-ring", TowerRing);
customElements.define("lesson-contents", LessonContents);
customElements.define("lesson-notes", LessonNotes);
customElements.define("lesson-reading", LessonReading);
customElements.define("predict-card", PredictCard);
customElements.define("quiz-question", QuizQuestion);
