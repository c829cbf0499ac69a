package main

import (
	"fmt"
	"os"

	"github.com/ringoftowers/towers/lessons"
)

type newCommand struct {
	Lessons string `help:"The course folder. Usually lessons/course, where that is." placeholder:"DIR" env:"TOWERS_LESSONS"`

	Lesson   newLessonCommand   `cmd:"" help:"Write a new lesson with the next free number."`
	Exercise newExerciseCommand `cmd:"" help:"Write a new exercise into a lesson, and the link to it."`
}

type newLessonCommand struct {
	Slug string `arg:"" help:"The lesson's name in its address: small letters, digits and -, like the-ring." placeholder:"SLUG"`
}

// Run writes a lesson that loads without a mistake.
func (c newLessonCommand) Run(env environment, all *newCommand) error {
	dir, err := courseFolder(all.Lessons)
	if err != nil {
		return cannotRun{err}
	}
	folder, err := lessons.NewLesson(dir, c.Slug)
	if err != nil {
		return err
	}
	return planted(env, folder, "lesson.md")
}

type newExerciseCommand struct {
	Lesson string `arg:"" help:"The lesson's folder, like 03-the-ring." placeholder:"LESSON"`
	Slug   string `arg:"" help:"The exercise's name in its address: small letters, digits and -, like owner." placeholder:"SLUG"`
}

// Run writes an exercise that proves itself.
func (c newExerciseCommand) Run(env environment, all *newCommand) error {
	dir, err := courseFolder(all.Lessons)
	if err != nil {
		return cannotRun{err}
	}
	folder, err := lessons.NewExercise(dir, c.Lesson, c.Slug)
	if err != nil {
		return err
	}
	return planted(env, folder, "task.md")
}

func planted(env environment, folder, first string) error {
	_, err := fmt.Fprintf(env.stdout, "%s is there. Begin with %s; \"towers lint\" says when something does not hold.\n", folder, first)
	return err
}

// checkedOut is where the course is in a checkout of this project.
const checkedOut = "lessons/course"

// courseFolder is the folder to write into. The built-in course is no folder, so without a
// flag there has to be a checkout around.
func courseFolder(flag string) (string, error) {
	if flag != "" {
		return flag, nil
	}
	if info, err := os.Stat(checkedOut); err != nil || !info.IsDir() {
		return "", fmt.Errorf("there is no %s here: say with --lessons which course folder to write into", checkedOut)
	}
	return checkedOut, nil
}
