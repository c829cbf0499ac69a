// Command pack makes of built files what the server hands out: each under a name with a hash
// of its content, beside it the same file compressed by brotli and by gzip as hard as they
// can, and manifest.json, which maps the plain names to the hashed ones.
//
// It compresses whatever it is given and changes none of it: bundling and minifying happened
// before. What an earlier run left and this one did not want is removed, so the folder holds
// one version of everything. A file that is there already is not compressed again.
//
//	pack -out web/dist .build/ring.wasm .build/style.css
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("out", "", "the `folder` to fill; what else is in it is removed, but not .gitignore")
	flag.Parse()
	if *out == "" || flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: pack -out FOLDER FILE...")
		os.Exit(2)
	}
	packed, err := pack(*out, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
	if err := report(os.Stdout, packed); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}
