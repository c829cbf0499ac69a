-- Times are microseconds since 1970, UTC. Lessons, exercises, questions and anchors are names
-- that mean nothing here. Every table about a learner calls the column `learner`, so that a
-- test can find them all and prove that adopting, deleting and exporting forget none.
--
-- There is no way down: whoever must go back restores a backup.

-- +goose Up

CREATE TABLE learners (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT,             -- as it was typed; NULL for a guest
    folded     TEXT    UNIQUE,   -- the name as it is compared
    hash       TEXT,             -- of the password
    instructor INTEGER NOT NULL DEFAULT 0 CHECK (instructor IN (0, 1)),
    since      INTEGER NOT NULL,
    CHECK ((name IS NULL) = (folded IS NULL) AND (name IS NULL) = (hash IS NULL)),
    CHECK (name <> '' AND folded <> '' AND hash <> '')
) STRICT, WITHOUT ROWID;

CREATE INDEX learners_instructors ON learners (id) WHERE instructor = 1;

CREATE TABLE sessions (
    token BLOB    NOT NULL PRIMARY KEY, -- a hash of it: whoever reads a backup can be nobody
    data  BLOB    NOT NULL,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_until ON sessions (until);

CREATE TABLE invitations (
    hash  BLOB    NOT NULL PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE submissions (
    seq       INTEGER PRIMARY KEY, -- in the order of arrival, where `at` is equal
    id        TEXT    NOT NULL UNIQUE CHECK (id <> ''),
    learner   TEXT    NOT NULL REFERENCES learners ON DELETE CASCADE,
    lesson    TEXT    NOT NULL,
    exercise  TEXT    NOT NULL,
    source    TEXT    NOT NULL,
    recheck   INTEGER NOT NULL CHECK (recheck IN (0, 1)),
    at        INTEGER NOT NULL,
    attempts  INTEGER NOT NULL DEFAULT 0,
    -- The rest comes all at once, and once.
    verdict   TEXT    CHECK (verdict <> ''),
    result    TEXT,
    judged_at INTEGER,
    passed    INTEGER,
    tests     INTEGER,
    CHECK ((verdict IS NULL) = (result IS NULL) AND (verdict IS NULL) = (judged_at IS NULL)
       AND (verdict IS NULL) = (passed IS NULL) AND (verdict IS NULL) = (tests IS NULL))
) STRICT;

CREATE INDEX submissions_unjudged ON submissions (at) WHERE verdict IS NULL;
CREATE INDEX submissions_waiting ON submissions (learner) WHERE verdict IS NULL AND recheck = 0;
CREATE INDEX submissions_tries ON submissions (learner, lesson, exercise, at);
CREATE INDEX submissions_exercise ON submissions (lesson, exercise, learner, at);
CREATE INDEX submissions_passed ON submissions (learner, lesson, exercise) WHERE verdict = 'passed';

CREATE TABLE drafts (
    learner  TEXT    NOT NULL REFERENCES learners ON DELETE CASCADE,
    lesson   TEXT    NOT NULL,
    exercise TEXT    NOT NULL,
    source   TEXT    NOT NULL,
    saved    INTEGER NOT NULL,
    PRIMARY KEY (learner, lesson, exercise)
) STRICT;

CREATE TABLE lessons_read (
    learner TEXT    NOT NULL REFERENCES learners ON DELETE CASCADE,
    lesson  TEXT    NOT NULL,
    at      INTEGER NOT NULL, -- the first time
    PRIMARY KEY (learner, lesson)
) STRICT, WITHOUT ROWID;

CREATE TABLE answers (
    learner  TEXT    NOT NULL REFERENCES learners ON DELETE CASCADE,
    lesson   TEXT    NOT NULL,
    question TEXT    NOT NULL,
    given    TEXT    NOT NULL,
    correct  INTEGER NOT NULL CHECK (correct IN (0, 1)),
    at       INTEGER NOT NULL,
    PRIMARY KEY (learner, lesson, question)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
    seq     INTEGER PRIMARY KEY, -- in the order of writing
    id      TEXT    NOT NULL UNIQUE,
    learner TEXT    NOT NULL REFERENCES learners ON DELETE CASCADE,
    lesson  TEXT    NOT NULL,
    anchor  TEXT    NOT NULL,
    body    TEXT    NOT NULL,
    changed INTEGER NOT NULL
) STRICT;

CREATE INDEX notes_learner ON notes (learner, lesson);
