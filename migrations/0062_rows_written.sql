-- Fewer rows written a day (docs/operate/limits-and-costs.md). Safe for the code of before, which trims as it did.

-- Home feeds that are as long as they get. Cron finds them when it trims; one that loses an entry is none any more.
CREATE TABLE full_home_feeds (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE
) STRICT;

-- The oldest entry of a full feed becomes the new one: a row written, where one that is inserted and trimmed later is two.
-- Statuses older than all entries would be trimmed at once.
CREATE TRIGGER home_entries_full BEFORE INSERT ON home_entries
WHEN EXISTS (SELECT 1 FROM full_home_feeds WHERE account_id = new.account_id)
  AND NOT EXISTS (SELECT 1 FROM home_entries WHERE account_id = new.account_id AND status_id = new.status_id) BEGIN
  SELECT RAISE(IGNORE) WHERE new.status_id < (SELECT min(status_id) FROM home_entries WHERE account_id = new.account_id);
  UPDATE home_entries SET status_id = new.status_id WHERE account_id = new.account_id
    AND status_id = (SELECT min(status_id) FROM home_entries WHERE account_id = new.account_id);
END;
CREATE TRIGGER home_entries_deleted AFTER DELETE ON home_entries
WHEN EXISTS (SELECT 1 FROM full_home_feeds WHERE account_id = old.account_id) BEGIN
  DELETE FROM full_home_feeds WHERE account_id = old.account_id;
END;
