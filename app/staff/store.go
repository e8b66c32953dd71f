package staff

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"candor/app/platform/db"
)

// staffLock is the advisory lock that serialises all changes of staff and their roles, so that two administrators can't remove each other, nor two requests
// add up to a forbidden pair.
const staffLock = 7301

// lockTx reads a person for an update and blocks other updates of staff until the transaction ends. It returns ErrUnknown.
func lockTx(ctx context.Context, tx *db.Tx, id int64) (Person, error) {
	if err := lockStaffTx(ctx, tx); err != nil {
		return Person{}, err
	}
	return person(tx.Rows, id)
}

func lockStaffTx(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Conn.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, staffLock)
	return err
}

func person(rows *gorm.DB, id int64) (p Person, err error) {
	if err = rows.Where("id = ?", id).Limit(1).Find(&p).Error; err != nil {
		return p, fmt.Errorf("read staff %d: %w", id, err)
	}
	if p.ID == 0 {
		return p, ErrUnknown
	}
	roles, err := rolesOf(rows, id)
	p.Roles = roles[id]
	return p, err
}

func byEmail(rows *gorm.DB, email string) (p Person, err error) {
	if err = rows.Where("email = ?", email).Limit(1).Find(&p).Error; err != nil {
		return p, fmt.Errorf("find staff: %w", err)
	}
	return p, nil
}

// staffRole is a person's role.
type staffRole struct {
	StaffID   int64
	Role      Role
	GrantedAt time.Time
}

// TableName is GORM's name of the table.
func (staffRole) TableName() string { return "staff_roles" }

func rolesOf(rows *gorm.DB, ids ...int64) (map[int64][]Role, error) {
	var list []staffRole
	if err := rows.Where("staff_id IN ?", ids).Order("staff_id, granted_at, role").Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read roles: %w", err)
	}
	out := make(map[int64][]Role, len(ids))
	for _, h := range list {
		out[h.StaffID] = append(out[h.StaffID], h.Role)
	}
	return out, nil
}

// lastAdminTx refuses to remove the last administrator. Refusal: ErrLastAdmin.
func lastAdminTx(tx *db.Tx, p Person) error {
	if !p.Has(SuperAdmin) {
		return nil
	}
	others, err := admins(tx.Rows, p.ID)
	if err == nil && others == 0 {
		return ErrLastAdmin
	}
	return err
}

// admins counts the super admins who can sign in, except one person.
func admins(rows *gorm.DB, but int64) (n int64, err error) {
	err = rows.Model(&staffRole{}).Joins("JOIN staff ON staff.id = staff_roles.staff_id").
		Where("role = ? AND state = 'active' AND totp_key IS NOT NULL AND staff.id <> ?", SuperAdmin, but).Count(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count super admins: %w", err)
	}
	return n, nil
}

// HoldsAny reports whether a member of staff holds one of the roles.
func HoldsAny(ctx context.Context, q db.Querier, id int64, roles ...Role) (holds bool, err error) {
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM staff_roles WHERE staff_id = $1 AND role = ANY($2))`, id, roles).Scan(&holds)
	if err != nil {
		return false, fmt.Errorf("ask who %d is: %w", id, err)
	}
	return holds, nil
}
