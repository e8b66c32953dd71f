package audit

// OfTraderSQL is what Log.OfTrader asks the database.
var OfTraderSQL = ofTrader
