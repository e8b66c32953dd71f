package migrations

// Files lets the tests walk the migrations by hand.
var Files = files
