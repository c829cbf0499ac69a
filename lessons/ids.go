package lessons

import "regexp"

// identifier is what may stand in {#…} and in an id attribute.
var identifier = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}_-]*$`)

// pageOwn matches the ids that the page around a lesson uses itself: of its parts, of the
// beacons' marks, of symbols and figures and exercises, and of what belongs to a figure or a
// question. A heading of that id would be led to, or drawn, in place of them.
var pageOwn = regexp.MustCompile(`^(?:text|lesson|chart|failure|lighthouse|m[1-8]|(?:s|pm|fig|exercise|my)-.*|.*-(?:ask|dial|name|rule))$`)

// reserved reports whether an id is the page's own.
func reserved(id string) bool { return pageOwn.MatchString(id) }

// unreserved gives the id, or one like it that is not the page's own.
func unreserved(id string) string {
	if reserved(id) {
		id = "section-" + id
	}
	if reserved(id) {
		id += "-2"
	}
	return id
}
