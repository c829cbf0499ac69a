package server

// security are the headers of every answer, with the reason for each.
//
// Strict-Transport-Security is not among them: here is plain HTTP, and whoever puts TLS in
// front knows better than we for how long it will be there.
var security = [...]struct{ name, value string }{
	// Text that a learner or an author wrote can never run as a script or load one: only files
	// of ours do, and nothing inline. WebAssembly needs its own word to be compiled. The page
	// stands in nobody's frame, where a click could be stolen; a foreign <base> or form target
	// could send what is typed elsewhere; and there is nothing to embed.
	{"Content-Security-Policy", "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; frame-ancestors 'none'; " +
		"object-src 'none'; base-uri 'none'; form-action 'self'"},

	// A file is what its type says: an old browser could take a lesson's text for a script.
	{"X-Content-Type-Options", "nosniff"},

	// Which lesson somebody reads is no business of the site that he goes to next.
	{"Referrer-Policy", "same-origin"},

	// A page of another site that opened ours gets no handle on its window.
	{"Cross-Origin-Opener-Policy", "same-origin"},

	// Another site can neither embed our files nor time how long its reader takes to load them.
	{"Cross-Origin-Resource-Policy", "same-origin"},

	// Lessons need none of these, so nothing that gets in can ask for them in our name.
	{"Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"},
}
