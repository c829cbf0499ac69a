package server

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"
)

// The cost of a password's hash, as OWASP advises for argon2id: 19 MiB and some 20 ms. Whoever
// stole the store would pay as much for every guess.
const (
	hashMemory  = 19 * 1024 // KiB
	hashPasses  = 2
	hashThreads = 1
	saltBytes   = 16
	hashBytes   = 32
)

// hashesAtOnce bounds the memory that signing in can take, however many do it at a time. Each
// sender has a line, and all lines move on together: whoever sends a thousand passwords waits
// for them, and others do not. A class of two hundred has room in one.
const (
	hashesAtOnce = 2
	hashLine     = 400
	hashPatience = 30 * time.Second
)

// A vault makes hashes of passwords and compares passwords with them. Hashes are strings in
// the format of the PHC, which has its parameters in it, so that a later version can raise
// them and still read the old ones.
type vault struct {
	lines *crowd
	turns chan struct{}
	decoy string // looks like a hash, and is that of no password
}

func newVault() *vault {
	noise := make([]byte, saltBytes+hashBytes)
	_, _ = rand.Read(noise) // never fails, by its documentation
	return &vault{
		lines: newQueue(hashesAtOnce, hashLine, hashPatience),
		turns: make(chan struct{}, hashesAtOnce),
		decoy: phcString(noise[:saltBytes], noise[saltBytes:]),
	}
}

// hash makes a new hash, in the line of whom it is for. The error is a [refusal] where the line
// is too long, or that of ctx, which ended while others had their turn.
func (v *vault) hash(ctx context.Context, line, password string) (string, error) {
	done, err := v.turn(ctx, line)
	if err != nil {
		return "", err
	}
	defer done()
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails, by its documentation
	return encode(password, salt), nil
}

// matches reports whether a hash is that of a password. For an empty hash, of somebody who does
// not exist, it takes as long as for any other, so that nobody learns by the clock who does. Its
// errors are those of [vault.hash].
func (v *vault) matches(ctx context.Context, line, hash, password string) (bool, error) {
	done, err := v.turn(ctx, line)
	if err != nil {
		return false, err
	}
	defer done()
	exists := hash != ""
	if !exists {
		hash = v.decoy
	}
	p, err := parsePHC(hash)
	if err != nil {
		return false, err
	}
	key := argon2.IDKey([]byte(password), p.salt, p.passes, p.memory, p.threads, uint32(len(p.key)))
	return subtle.ConstantTimeCompare(key, p.key) == 1 && exists, nil
}

// turn takes one of the turns, of which each line may have all while no other wants one.
func (v *vault) turn(ctx context.Context, line string) (done func(), err error) {
	leave, ok := v.lines.enter(ctx, line)
	if !ok {
		return nil, crowded(ctx)
	}
	select {
	case v.turns <- struct{}{}:
		return func() {
			<-v.turns
			leave()
		}, nil
	case <-ctx.Done():
		leave()
		return nil, crowded(ctx)
	}
}

func encode(password string, salt []byte) string {
	return phcString(salt, argon2.IDKey([]byte(password), salt, hashPasses, hashMemory, hashThreads, hashBytes))
}

func phcString(salt, key []byte) string {
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, hashMemory, hashPasses, hashThreads, b64(salt), b64(key))
}

// phc is what a hash says of itself.
type phc struct {
	memory    uint32 // KiB
	passes    uint32
	threads   uint8
	salt, key []byte
}

// parsePHC reads a hash. It refuses parameters that no version of ours would have written: a
// row that was tampered with must not take gigabytes to compare.
func parsePHC(hash string) (phc, error) {
	var p phc
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return phc{}, errors.New("a password's hash is not one of argon2id")
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.passes, &p.threads); err != nil {
		return phc{}, fmt.Errorf("the cost of a password's hash: %w", err)
	}
	if p.memory > 64*1024 || p.passes < 1 || p.passes > 10 || p.threads < 1 || p.threads > 8 {
		return phc{}, fmt.Errorf("a password's hash costs %s, which is out of bounds", parts[3])
	}
	var err error
	if p.salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
		return phc{}, fmt.Errorf("the salt of a password's hash: %w", err)
	}
	if p.key, err = base64.RawStdEncoding.DecodeString(parts[5]); err != nil {
		return phc{}, fmt.Errorf("a password's hash: %w", err)
	}
	if len(p.salt) < 8 || len(p.key) < 16 || len(p.key) > 64 {
		return phc{}, errors.New("a password's hash is too short or too long")
	}
	return p, nil
}
