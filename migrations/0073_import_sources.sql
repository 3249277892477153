-- Sources of imports of archives, what each brought, and which import a status is of. Additive.

-- What proves that the actor is the account that imports: 'alias' or 'link'.
ALTER TABLE archive_imports ADD COLUMN proof TEXT;
-- Imported statuses that everybody may see: of others, nothing is said.
ALTER TABLE archive_imports ADD COLUMN open_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE archive_imports ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE archive_imports ADD COLUMN files INTEGER NOT NULL DEFAULT 0;
ALTER TABLE archive_imports ADD COLUMN file_bytes INTEGER NOT NULL DEFAULT 0;
-- Time at which staff removed it.
ALTER TABLE archive_imports ADD COLUMN removed_at INTEGER;
ALTER TABLE imported_statuses ADD COLUMN import_id INTEGER;

-- Statuses of imports that are forgotten, or of one among several: their actor is not known any more.
INSERT INTO archive_imports (id, account_id, actor_uri, followers_uri, imported, created_at, progressed_at)
SELECT account_id, account_id, '', '', count(*), unixepoch() * 1000, unixepoch() * 1000
FROM imported_statuses i
WHERE (SELECT count(*) FROM archive_imports known WHERE known.account_id = i.account_id) <> 1
GROUP BY account_id;
UPDATE imported_statuses SET import_id = (
  SELECT id FROM archive_imports i WHERE i.account_id = imported_statuses.account_id ORDER BY actor_uri LIMIT 1
);
CREATE INDEX imported_statuses_import ON imported_statuses (account_id, import_id, status_id);
UPDATE archive_imports SET open_count = (
  SELECT count(*) FROM imported_statuses i CROSS JOIN statuses s ON s.id = i.status_id
  WHERE i.account_id = archive_imports.account_id AND i.import_id = archive_imports.id AND s.visibility IN ('public', 'unlisted')
);
CREATE INDEX archive_imports_to_forget ON archive_imports (progressed_at) WHERE imported = 0 OR refused > 0;
CREATE INDEX archive_imports_being_removed ON archive_imports (removed_at) WHERE removed_at IS NOT NULL AND imported > 0;
