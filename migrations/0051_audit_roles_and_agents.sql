-- The log says as what somebody acted and with which browser: the roles that staff held at that moment, and what the browser called itself. Of what was
-- written before nobody knows either, and the hash of an entry without them is the one it had. The list by a role is read along the acts of staff.
-- +goose Up
ALTER TABLE audit_entries ADD actor_roles text NOT NULL DEFAULT '', ADD agent text NOT NULL DEFAULT '';
CREATE INDEX audit_entries_roles ON audit_entries (at DESC, id DESC) WHERE actor_roles <> '';

-- +goose Down
ALTER TABLE audit_entries DROP actor_roles, DROP agent;
