package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// A handle runs the prepared statements of a pool, within a transaction or each by itself.
type handle struct {
	pool *pool
	tx   *sql.Tx // nil when each statement stands for itself
}

// change runs one transaction on the writer: all that do does is written and on the disk, or
// none of it. ctx can end the wait for the writer, but not a transaction that has begun: it is
// short, and whoever asked should know how it ended.
func (s *Store) change(ctx context.Context, what string, do func(context.Context, handle) error) error {
	if err := s.writer.transact(ctx, false, do); err != nil {
		return fmt.Errorf("%s: %w", what, explain(err, s.path))
	}
	return nil
}

// look runs statements of the readers that must see one and the same state of the file.
func (s *Store) look(ctx context.Context, what string, do func(context.Context, handle) error) error {
	if err := s.readers.transact(ctx, true, do); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// glance is for a single statement of the readers.
func (s *Store) glance() handle { return handle{pool: s.readers} }

func (p *pool) transact(ctx context.Context, readOnly bool, do func(context.Context, handle) error) (err error) {
	conn, err := p.db.Conn(ctx)
	if err != nil {
		return err
	}
	// Deferred, so that a panic gives the connection back too: the writer has only this one.
	defer func() { err = errors.Join(err, conn.Close()) }()
	if !readOnly {
		ctx = context.WithoutCancel(ctx)
	}
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: readOnly})
	if err != nil {
		return err
	}
	// After Commit, and after some errors, there is nothing left to roll back; that it complains
	// then is no news.
	defer func() { _ = tx.Rollback() }()
	if err := do(ctx, handle{p, tx}); err != nil {
		return err
	}
	return tx.Commit()
}

func (h handle) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	statement, err := h.pool.statement(text)
	if err != nil || h.tx == nil {
		return statement, err
	}
	return h.tx.StmtContext(ctx, statement), nil
}

// exec runs a statement and counts the rows that it changed.
func (h handle) exec(ctx context.Context, text string, args ...any) (int64, error) {
	statement, err := h.statement(ctx, text)
	if err != nil {
		return 0, err
	}
	result, err := statement.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// must runs a statement that has to change something: ErrNotFound when it does not.
func (h handle) must(ctx context.Context, text string, args ...any) error {
	rows, err := h.exec(ctx, text, args...)
	if err == nil && rows == 0 {
		return ErrNotFound
	}
	return err
}

// A scanner is a row of a result, as *sql.Row and *sql.Rows are.
type scanner interface{ Scan(into ...any) error }

// one reads the single row of a statement: ErrNotFound when there is none.
func one[T any](ctx context.Context, h handle, read func(scanner) (T, error), text string, args ...any) (T, error) {
	statement, err := h.statement(ctx, text)
	if err != nil {
		var none T
		return none, err
	}
	value, err := read(statement.QueryRowContext(ctx, args...))
	if errors.Is(err, sql.ErrNoRows) {
		return value, ErrNotFound
	}
	return value, err
}

// all reads every row of a statement, into memory.
func all[T any](ctx context.Context, h handle, read func(scanner) (T, error), text string, args ...any) (_ []T, err error) {
	statement, err := h.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	rows, err := statement.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var values []T
	for rows.Next() {
		value, err := read(rows)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
}

// value reads a row of one column.
func value[T any](row scanner) (v T, err error) {
	err = row.Scan(&v)
	return v, err
}
