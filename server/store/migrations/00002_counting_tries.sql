-- Whether a try was a re-check stands behind the program in its row. Counting a learner's own
-- tries, or finding the newest re-check, must not read every program on the way.

-- +goose Up

CREATE INDEX submissions_own ON submissions (learner, lesson, exercise, recheck);
