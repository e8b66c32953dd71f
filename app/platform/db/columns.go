package db

import (
	"strings"
	"sync"

	"gorm.io/gorm/schema"
)

var models sync.Map

// Columns lists the columns of a model for a statement that is written out. A server that is older than the database does not read columns that it does not know.
// It panics when Row is no model.
func Columns[Row any]() string {
	var row Row
	parsed, err := schema.Parse(&row, &models, schema.NamingStrategy{})
	if err != nil {
		panic(err)
	}
	return strings.Join(parsed.DBNames, ", ")
}
