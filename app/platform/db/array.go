package db

import (
	"context"
	"reflect"

	"github.com/jackc/pgx/v5/pgtype"
	"gorm.io/gorm/schema"
)

func init() { schema.RegisterSerializer("array", array{}) }

// array lets a field of a GORM model be a column of an array type; its tag is `gorm:"serializer:array"`.
type array struct{}

// Scan reads the column.
func (array) Scan(ctx context.Context, field *schema.Field, row reflect.Value, column any) error {
	into := reflect.New(field.FieldType)
	if err := pgtype.NewMap().SQLScanner(into.Interface()).Scan(column); err != nil {
		return err
	}
	field.ReflectValueOf(ctx, row).Set(into.Elem())
	return nil
}

// Value writes the column.
func (array) Value(_ context.Context, _ *schema.Field, _ reflect.Value, value any) (any, error) {
	return value, nil
}
