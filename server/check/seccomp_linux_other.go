//go:build linux && !amd64 && !arm64

package check

const auditArch uint32 = 0 // no filter here

var buildDeniedHere, runDeniedHere []uintptr
