package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// application stands in the header of our files and tells whose they are: "TOWR".
const application = 0x544F5752

//go:embed migrations/*.sql
var migrations embed.FS

// ready makes an open file fit for use: it refuses one that is not ours or that is newer than
// this program before anything is written, and then brings it up to date.
func ready(ctx context.Context, db *sql.DB, path string) error {
	fresh, err := recognise(ctx, db, path)
	if err != nil {
		return err
	}
	steps, err := schema(db)
	if err != nil {
		return err
	}
	if fresh {
		// The mark comes before the first table, so that a file whose making was cut off is
		// known as ours, and its making is taken up again.
		_, err = db.ExecContext(ctx, fmt.Sprint("PRAGMA application_id = ", application))
	} else {
		err = refuseNewer(ctx, steps, path)
	}
	if err != nil {
		return err
	}
	if err := keepLog(ctx, db, path); err != nil {
		return err
	}
	if _, err := steps.Up(ctx); err != nil {
		return fmt.Errorf("bringing %s up to date: %w", path, err)
	}
	return nil
}

// keepLog makes the file's journal a write-ahead log, in which readers and the writer do not
// wait for each other. The file remembers it.
func keepLog(ctx context.Context, db *sql.DB, path string) error {
	var mode string
	if err := db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return fmt.Errorf("switching %s to a write-ahead log: %w", path, err)
	}
	if mode != "wal" {
		return fmt.Errorf("%s cannot have a write-ahead log where it is (its journal is %q); keep it on a local disk", path, mode)
	}
	return nil
}

// recognise looks whose file it is, and whether anything is in it.
func recognise(ctx context.Context, db *sql.DB, path string) (fresh bool, err error) {
	var id, tables int
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return false, fmt.Errorf("reading %s: %w", path, err)
	}
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return false, fmt.Errorf("reading %s: %w", path, err)
	}
	switch {
	case id == application:
		return false, nil
	case id == 0 && tables == 0:
		return true, nil
	}
	return false, fmt.Errorf("%s is the database of another program, and is left as it is; name another file: %w", path, ErrForeign)
}

// schema is the steps that lead to the present schema.
func schema(db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, fmt.Errorf("the embedded migrations: %w", err)
	}
	steps, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("the embedded migrations: %w", err)
	}
	return steps, nil
}

func refuseNewer(ctx context.Context, steps *goose.Provider, path string) error {
	has, knows, err := steps.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("the schema's version of %s: %w", path, err)
	}
	if has > knows {
		return fmt.Errorf("%w: %s has schema %d and this program knows up to %d; start the newer program again, or put a backup from before the change in its place",
			ErrNewer, path, has, knows)
	}
	return nil
}
