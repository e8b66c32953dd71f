package support

// What a search in the inbox asks the database: first of the newest messages, then of all.
var (
	SearchNewestSQL  = searchSQL(amongNewest)
	SearchByPairsSQL = searchSQL(byPairs)
)
