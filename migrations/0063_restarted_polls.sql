-- Id by which clients know a poll that an edit restarted, of the row before it; NULL: its own. Additive.
ALTER TABLE polls ADD COLUMN public_id INTEGER;
CREATE UNIQUE INDEX polls_public ON polls (public_id) WHERE public_id IS NOT NULL;
