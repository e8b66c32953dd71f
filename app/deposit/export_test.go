package deposit

// CreditSQL is the query of ForCredit.
const CreditSQL = creditSQL
