package lessons

// A Block is one piece of a lesson from top to bottom: one of [HTML], [Heading], [Ring],
// [Predict], [Details], [Quiz], [Note], [Rule], [ExerciseLink] and [Problem].
type Block interface{ block() }

// HTML is ordinary prose: paragraphs, lists, tables, code, formulas, smaller headings.
type HTML struct{ Text string }

// A Heading is a heading of the second level. Smaller ones stay within [HTML].
type Heading struct {
	ID   string
	HTML string // what stands between <h2> and </h2>
}

// A Ring is a figure to play with: ::ring{…}. A lesson has at most 12, with 2,000,000 letters
// in all of them together.
type Ring struct {
	Figure  int      // 1, 2, … within the lesson
	Lead    bool     // the lesson's first block: the one wide plate
	Towers  int      // 0…128
	Points  int      // virtual nodes a tower, 1…1000
	Letters int      // 0…1,000,000
	Hash    string   // mixed, fnv1a, md5 or xx
	Compare []string // rules shown beside the ring: some of modulo, rendezvous
	Seed    string   // the letters are Seed+"letter-0", Seed+"letter-1", …
	Arrives int      // 1: the picture opens just after one more tower has come; with it there are at most 128
	Follow  string   // whose letters are followed first: ring, or one of Compare
	Caption string   // plain text
}

// A Predict asks for a number before it is told: :::predict{answer=80}.
type Predict struct {
	ID        string
	Answer    float64
	Unit      string  // "%", or empty
	Tolerance float64 // a guess this near counts as right; 0…1e9
	Min, Max  float64 // the ends of the slider, within ±1e9; Min < Max, and Answer is between them
	Ask       string  // HTML: what stands before a line ---
	Reveal    string  // HTML: what stands after it; may be empty
}

// Details is what a reader may unfold: :::details{title="Under the hood"}.
type Details struct {
	Title string // plain text
	Aside string // plain text beside the title; may be empty
	Body  []Block
}

// A Quiz is a question with answers to choose from: :::quiz.
type Quiz struct {
	ID      string
	Many    bool   // more than one choice is right
	Ask     string // HTML: what stands before the list
	Choices []Choice
}

// A Choice is one answer of a [Quiz].
type Choice struct {
	HTML  string // without a paragraph around it
	Right bool
	Why   string // HTML, shown after choosing; may be empty
}

// A Note stands in the margin beside the block that follows it: :::note{title="Positions"}.
type Note struct {
	Title string // plain text
	HTML  string
}

// A Rule is the one sentence to remember: :::rule.
type Rule struct{ HTML string }

// An ExerciseLink leads to an exercise of the same lesson: ::exercise{id=owner}.
type ExerciseLink struct {
	Exercise *Exercise
	Number   int // Exercise.Number
}

func (HTML) block()         {}
func (Heading) block()      {}
func (Ring) block()         {}
func (Predict) block()      {}
func (Details) block()      {}
func (Quiz) block()         {}
func (Note) block()         {}
func (Rule) block()         {}
func (ExerciseLink) block() {}
func (Problem) block()      {}
