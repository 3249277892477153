-- How often a status of another server is favourited and reblogged, as that server counts; null where it does not tell.
ALTER TABLE statuses ADD COLUMN untrusted_reblogs_count INTEGER;
ALTER TABLE statuses ADD COLUMN untrusted_favourites_count INTEGER;
