package support

// The SQL of an inbox search: first among the newest messages, then among all.
var (
	SearchNewestSQL  = searchSQL(amongNewest)
	SearchByPairsSQL = searchSQL(byPairs)
)
