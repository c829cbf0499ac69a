import "./index.ts";
import { LessonContents } from "./lesson-contents.ts";
import { PredictCard } from "./predict-card.ts";
import { QuizQuestion } from "./quiz-question.ts";
import { TowerRing } from "./tower-ring.ts";

customElements.define("tower-ring", TowerRing);
customElements.define("lesson-contents", LessonContents);
customElements.define("predict-card", PredictCard);
customElements.define("quiz-question", QuizQuestion);
