-- Imports of lists say first what they will do, and can be undone. Additive.

-- Entries of the file that were here before, and entries here that an overwriting file lacks.
ALTER TABLE imports ADD COLUMN present INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN surplus INTEGER NOT NULL DEFAULT 0;
-- 'added', 'kept', 'removed' or 'undone'; null: waits, or failed.
ALTER TABLE import_entries ADD COLUMN outcome TEXT;
ALTER TABLE import_entries ADD COLUMN present INTEGER NOT NULL DEFAULT 0;
CREATE INDEX import_entries_waiting ON import_entries (import_id) WHERE error IS NULL AND outcome IS NULL;
CREATE INDEX import_entries_undoable ON import_entries (import_id) WHERE outcome IN ('added', 'removed');
DROP INDEX import_entries_open;
