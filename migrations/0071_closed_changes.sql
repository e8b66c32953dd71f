-- A change of a switch that comes to nothing stays readable: who closed it, and when. A failed one was closed by nobody, but by its moment.
-- +goose Up
ALTER TABLE switch_changes ADD closed_at timestamptz, ADD closer_id bigint REFERENCES staff (id);

UPDATE switch_changes c SET closed_at = e.at, closer_id = CASE WHEN e.actor_kind = 'staff' THEN e.actor_id END
FROM audit_entries e
WHERE c.state IN ('rejected', 'cancelled', 'failed') AND e.target_kind = 'switch' AND e.target_id = c.key AND e.action IN ('switch.reject', 'switch.cancel', 'switch.fail')
    AND (e.after::jsonb ->> 'change')::bigint = c.id;

ALTER TABLE switch_changes ADD CONSTRAINT switch_changes_closed CHECK ((state IN ('rejected', 'cancelled', 'failed')) = (closed_at IS NOT NULL));

-- +goose Down
ALTER TABLE switch_changes DROP COLUMN closed_at, DROP COLUMN closer_id;
