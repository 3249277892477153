-- Documents of the index name the pages that a status links to: those with links are written again, by cron. Safe for the
-- code of before.

INSERT INTO search_stale (status_id)
SELECT rowid FROM status_search WHERE status_search MATCH 'traits : "xlink0"'
ON CONFLICT (status_id) DO UPDATE SET turn = turn + 1;
