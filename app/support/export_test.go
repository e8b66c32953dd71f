package support

// SearchSQL is what a search in the inbox asks the database.
const SearchSQL = searchSQL
