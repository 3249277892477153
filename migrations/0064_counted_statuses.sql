-- Statuses of remote servers are counted by cron, those of some hours together: one by one each took a row written, and so did
-- the deletion of each. Safe for the code of before, under which the new ones stay uncounted.
CREATE TABLE status_counting (
  id INTEGER PRIMARY KEY,
  -- Statuses with lower ids are in the counts of their servers (domain_days); no others are.
  counted_before INTEGER NOT NULL,
  -- 1 within a batch of pruning, which counts what it deletes.
  is_pruning INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO status_counting (id, counted_before) SELECT 1, coalesce(max(id), 0) + 1 FROM statuses;

DROP TRIGGER domain_days_status;
DROP TRIGGER domain_days_status_deleted;
DROP TRIGGER domain_days_account_deleted;

-- Old ones that arrive late: cron does not come back to them.
CREATE TRIGGER domain_days_status AFTER INSERT ON statuses
WHEN new.local = 0 AND new.id < (SELECT counted_before FROM status_counting WHERE id = 1) BEGIN
  INSERT INTO domain_changes SELECT a.domain, (new.id / 4096 + 1167609600000) / 86400000, 0, 1, 0, 0, 0,
    CASE WHEN new.reblog_of_id IS NULL THEN coalesce(new.language, 'und') END
  FROM accounts a WHERE a.id = new.account_id AND a.domain IS NOT NULL;
END;
CREATE TRIGGER domain_days_status_deleted AFTER DELETE ON statuses
WHEN old.local = 0 AND old.id < (SELECT iif(is_pruning, 0, counted_before) FROM status_counting WHERE id = 1) BEGIN
  INSERT INTO domain_changes SELECT a.domain, 0, 0, -1, 0, 0, 0, NULL
  FROM accounts a WHERE a.id = old.account_id AND a.domain IS NOT NULL;
END;
CREATE TRIGGER domain_days_account_deleted BEFORE DELETE ON accounts WHEN old.domain IS NOT NULL BEGIN
  INSERT INTO domain_changes VALUES (old.domain, 0, -1,
    -(SELECT count(*) FROM statuses WHERE account_id = old.id
      AND id < (SELECT counted_before FROM status_counting WHERE id = 1)),
    -(SELECT count(*) FROM reports WHERE target_account_id = old.id),
    -(SELECT count(*) FROM follows WHERE target_account_id = old.id),
    -(SELECT count(*) FROM follows WHERE account_id = old.id), NULL);
END;
