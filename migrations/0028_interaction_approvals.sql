-- What authors of other servers want to be asked for first, and what became of asking: `{state, uri, held}`.
ALTER TABLE statuses ADD COLUMN asked_first TEXT NOT NULL DEFAULT '[]';
ALTER TABLE statuses ADD COLUMN approval TEXT;
