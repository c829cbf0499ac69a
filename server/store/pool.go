package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// A pool is a number of connections to the file, and the statements that run on them, each
// prepared once. The statements are named by their text.
type pool struct {
	db         *sql.DB
	statements map[string]*sql.Stmt
}

// connect opens a pool of at most size connections. It opens none yet, so it says nothing
// about the file.
func connect(address string, size int) (*pool, error) {
	connector, err := sqlite.NewConnector(address)
	if err != nil {
		return nil, fmt.Errorf("the address of the file: %w", err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(size)
	// A connection that comes back is kept: it has its statements prepared.
	db.SetMaxIdleConns(size)
	return &pool{db: db, statements: make(map[string]*sql.Stmt)}, nil
}

// prepare readies all statements of a pool at once, so that one that does not fit the schema
// shows at the start and not in the middle of a lesson.
func (p *pool) prepare(ctx context.Context, texts []string) error {
	for _, text := range texts {
		statement, err := p.db.PrepareContext(ctx, text)
		if err != nil {
			return fmt.Errorf("preparing %q: %w", text, err)
		}
		p.statements[text] = statement
	}
	return nil
}

// statement finds what prepare made. Missing one is a mistake of this package, found by any
// test that comes by.
func (p *pool) statement(text string) (*sql.Stmt, error) {
	if statement, ok := p.statements[text]; ok {
		return statement, nil
	}
	return nil, fmt.Errorf("the statement %q was not prepared", text)
}

func (p *pool) close() error {
	errs := make([]error, 0, len(p.statements)+1)
	for _, statement := range p.statements {
		errs = append(errs, statement.Close())
	}
	return errors.Join(append(errs, p.db.Close())...)
}

// writing is the address of the file for the writer. Each pragma holds for its connection;
// the journal's mode is the file's own, and Open sets it once it knows that the file is ours.
func writing(path string) string {
	return address(path, url.Values{
		"mode":    {"rw"},
		"_txlock": {"immediate"}, // a transaction never finds in its middle that it may not write
		"_pragma": {
			"busy_timeout(10000)",
			"synchronous(FULL)",
			"fullfsync(1)", // on a Mac, a plain fsync stops at the drive's own memory
			"foreign_keys(1)",
			"secure_delete(1)", // what a learner deletes is overwritten
			"journal_size_limit(67108864)",
			"temp_store(MEMORY)",
			"trusted_schema(0)",
		},
		"_defensive": {"1"},
		"_dqs":       {"0"},
	})
}

// reading is the address of the file for whoever only reads it: the operating system itself
// refuses a write on such a connection.
func reading(path string) string {
	return address(path, url.Values{
		"mode": {"ro"},
		"_pragma": {
			"busy_timeout(10000)",
			"cache_size(-512)", // KiB; several readers would each hold what the system has in memory anyway
			"temp_store(MEMORY)",
			"trusted_schema(0)",
		},
		"_defensive": {"1"},
		"_dqs":       {"0"},
	})
}

// address makes an URI of a path, in which ?, # and % mean themselves.
func address(path string, query url.Values) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive's letter comes after the slash
	}
	return (&url.URL{Scheme: "file", Path: path, OmitHost: true, RawQuery: query.Encode()}).String()
}
