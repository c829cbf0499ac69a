package store

// writes are the statements of the writer.
func writes() []string {
	return []string{
		insertLearner, nameLearner, updateHash, deleteLearner,
		insertInvite, spendInvite, makeInstructor, deleteOldInvite,
		upsertSession, deleteSession, deleteOldSessions,
		countWaiting, insertSubmission, recordVerdict, hasSubmission, countAttempt,
		upsertDraft, insertRead, upsertAnswer,
		insertNote, updateNote, deleteNote,
		isGuest, isAccount, adoptSubmissions, adoptNotes, adoptDrafts, adoptRead, adoptAnswers, adoptLearner,
	}
}

// reads are the statements of the readers.
func reads() []string {
	return []string{
		selectLearner, selectByName, anyInstructor,
		selectSession,
		selectSubmission, selectUnjudged, selectTries, countTries, selectLastTries,
		selectDraft, selectRead, selectPassed, selectAnswers, selectNotes,
		exportSubmissions, exportDrafts, exportRead, exportNotes,
	}
}
