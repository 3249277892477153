-- Figures for staff, and requests to review trends. Additive.

-- Counters of single days inside the row of their week, which the same statements count up: {"statuses:20780": 3}. The
-- number is that of the day since 1970; see src/domain/instance/daily-counters.ts for the names.
ALTER TABLE activity_weeks ADD COLUMN days TEXT NOT NULL DEFAULT '{}';

-- Active users of a day: one row written for each user and day.
CREATE TABLE active_days (
  day INTEGER PRIMARY KEY,
  users INTEGER NOT NULL DEFAULT 0,
  -- Registers of a HyperLogLog sketch of their ids, one character each: users of several days are counted once.
  sketch TEXT NOT NULL,
  -- By the day they joined, as far as that was within a month: {"20779": 2}.
  cohorts TEXT NOT NULL DEFAULT '{}',
  -- By the month they joined, months since 1970, on their first day of activity in this month.
  month_cohorts TEXT NOT NULL DEFAULT '{}',
  -- Remote servers by the statuses that came from them on this day, the first hundred: {"a.test": 5}. Kept by cron.
  servers TEXT NOT NULL DEFAULT '{}'
) STRICT;

-- Counts of a remote server by day: new on that day, and in total after it.
CREATE TABLE domain_days (
  domain TEXT NOT NULL,
  day INTEGER NOT NULL,
  accounts INTEGER NOT NULL,
  statuses INTEGER NOT NULL,
  reports INTEGER NOT NULL,
  follows INTEGER NOT NULL,
  followers INTEGER NOT NULL,
  all_accounts INTEGER NOT NULL,
  all_statuses INTEGER NOT NULL,
  all_reports INTEGER NOT NULL,
  all_follows INTEGER NOT NULL,
  all_followers INTEGER NOT NULL,
  -- Languages of the statuses of the day: {"en": 3}.
  languages TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (domain, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX domain_days_day ON domain_days (day);

-- A change of a server, as the triggers below insert it: counted on its day, or on the last one known if that is later.
CREATE VIEW domain_changes AS
SELECT domain, day, accounts, statuses, reports, follows, followers, '' AS language FROM domain_days WHERE 0;

CREATE TRIGGER domain_changes_count INSTEAD OF INSERT ON domain_changes BEGIN
  INSERT INTO domain_days (domain, day, accounts, statuses, reports, follows, followers,
    all_accounts, all_statuses, all_reports, all_follows, all_followers, languages)
  SELECT new.domain, max(new.day, coalesce(last.day, 0)),
    max(0, new.accounts), max(0, new.statuses), max(0, new.reports), max(0, new.follows), max(0, new.followers),
    max(0, coalesce(last.all_accounts, 0) + new.accounts), max(0, coalesce(last.all_statuses, 0) + new.statuses),
    max(0, coalesce(last.all_reports, 0) + new.reports), max(0, coalesce(last.all_follows, 0) + new.follows),
    max(0, coalesce(last.all_followers, 0) + new.followers),
    CASE WHEN new.language IS NULL THEN '{}' ELSE json_object(new.language, 1) END
  FROM (SELECT 1) LEFT JOIN domain_days last ON last.domain = new.domain
    AND last.day = (SELECT max(day) FROM domain_days WHERE domain = new.domain)
  WHERE true
  ON CONFLICT (domain, day) DO UPDATE SET
    accounts = accounts + excluded.accounts, statuses = statuses + excluded.statuses,
    reports = reports + excluded.reports, follows = follows + excluded.follows,
    followers = followers + excluded.followers,
    all_accounts = excluded.all_accounts, all_statuses = excluded.all_statuses, all_reports = excluded.all_reports,
    all_follows = excluded.all_follows, all_followers = excluded.all_followers,
    languages = CASE WHEN new.language IS NULL THEN languages ELSE json_patch(languages,
      json_object(new.language, 1 + coalesce((SELECT value FROM json_each(languages) WHERE key = new.language), 0))) END;
END;

-- 1167609600000 is the epoch of ids, 4096 the ids of a millisecond, 86400000 a day: see src/lib/snowflake.ts.
CREATE TRIGGER domain_days_account AFTER INSERT ON accounts WHEN new.domain IS NOT NULL BEGIN
  INSERT INTO domain_changes VALUES (new.domain, (new.id / 4096 + 1167609600000) / 86400000, 1, 0, 0, 0, 0, NULL);
END;
-- Statuses, reports and follows go with the account, and cannot be found under its name afterwards.
CREATE TRIGGER domain_days_account_deleted BEFORE DELETE ON accounts WHEN old.domain IS NOT NULL BEGIN
  INSERT INTO domain_changes VALUES (old.domain, 0, -1,
    -(SELECT count(*) FROM statuses WHERE account_id = old.id),
    -(SELECT count(*) FROM reports WHERE target_account_id = old.id),
    -(SELECT count(*) FROM follows WHERE target_account_id = old.id),
    -(SELECT count(*) FROM follows WHERE account_id = old.id), NULL);
END;

CREATE TRIGGER domain_days_status AFTER INSERT ON statuses WHEN new.local = 0 BEGIN
  INSERT INTO domain_changes SELECT a.domain, (new.id / 4096 + 1167609600000) / 86400000, 0, 1, 0, 0, 0,
    CASE WHEN new.reblog_of_id IS NULL THEN coalesce(new.language, 'und') END
  FROM accounts a WHERE a.id = new.account_id AND a.domain IS NOT NULL;
END;
CREATE TRIGGER domain_days_status_deleted AFTER DELETE ON statuses WHEN old.local = 0 BEGIN
  INSERT INTO domain_changes SELECT a.domain, 0, 0, -1, 0, 0, 0, NULL
  FROM accounts a WHERE a.id = old.account_id AND a.domain IS NOT NULL;
END;

-- Remote accounts by how many people here follow them.
CREATE TABLE followed_accounts (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  domain TEXT NOT NULL,
  local_followers INTEGER NOT NULL
) STRICT;
CREATE INDEX followed_accounts_domain ON followed_accounts (domain, local_followers);

CREATE TRIGGER domain_days_follow AFTER INSERT ON follows BEGIN
  INSERT INTO followed_accounts (account_id, domain, local_followers)
  SELECT a.id, a.domain, 1 FROM accounts a WHERE a.id = new.target_account_id AND a.domain IS NOT NULL
  ON CONFLICT (account_id) DO UPDATE SET local_followers = local_followers + 1;
  INSERT INTO domain_changes SELECT a.domain, (new.id / 4096 + 1167609600000) / 86400000, 0, 0, 0, 1, 0, NULL
  FROM accounts a WHERE a.id = new.target_account_id AND a.domain IS NOT NULL;
  INSERT INTO domain_changes SELECT a.domain, (new.id / 4096 + 1167609600000) / 86400000, 0, 0, 0, 0, 1, NULL
  FROM accounts a WHERE a.id = new.account_id AND a.domain IS NOT NULL;
END;
CREATE TRIGGER domain_days_follow_deleted AFTER DELETE ON follows BEGIN
  UPDATE followed_accounts SET local_followers = local_followers - 1 WHERE account_id = old.target_account_id;
  INSERT INTO domain_changes SELECT a.domain, 0, 0, 0, 0, -1, 0, NULL
  FROM accounts a WHERE a.id = old.target_account_id AND a.domain IS NOT NULL;
  INSERT INTO domain_changes SELECT a.domain, 0, 0, 0, 0, 0, -1, NULL
  FROM accounts a WHERE a.id = old.account_id AND a.domain IS NOT NULL;
END;

-- A counter of the week and of a day in it; the amount may be negative.
CREATE VIEW day_changes AS SELECT week, '' AS name, 0 AS at, 0 AS amount FROM activity_weeks WHERE 0;
CREATE TRIGGER day_changes_count INSTEAD OF INSERT ON day_changes BEGIN
  INSERT INTO activity_weeks (week, days)
  VALUES ((new.at + 259200000) / 604800000, json_object(new.name || ':' || (new.at / 86400000), new.amount))
  ON CONFLICT (week) DO UPDATE SET days = json_set(days, '$."' || new.name || ':' || (new.at / 86400000) || '"',
    coalesce(days ->> ('$."' || new.name || ':' || (new.at / 86400000) || '"'), 0) + new.amount);
END;

-- Local favourites have no URI.
CREATE TRIGGER activity_favourite AFTER INSERT ON favourites WHEN new.uri IS NULL BEGIN
  INSERT INTO day_changes VALUES (0, 'interactions', new.id / 4096 + 1167609600000, 1);
END;

-- Bytes of uploads that are still there, by the day of the upload.
CREATE TABLE media_days (
  day INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT;
CREATE TRIGGER media_days_upload AFTER INSERT ON media_attachments BEGIN
  INSERT INTO media_days (day, bytes) VALUES (new.created_at / 86400000, new.size_bytes)
  ON CONFLICT (day) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER media_days_deleted AFTER DELETE ON media_attachments BEGIN
  UPDATE media_days SET bytes = bytes - old.size_bytes WHERE day = old.created_at / 86400000;
END;

CREATE TRIGGER activity_report AFTER INSERT ON reports BEGIN
  INSERT INTO day_changes VALUES (0, 'openedReports', new.created_at, 1);
  INSERT INTO domain_changes SELECT a.domain, new.created_at / 86400000, 0, 0, 1, 0, 0, NULL
  FROM accounts a WHERE a.id = new.target_account_id AND a.domain IS NOT NULL;
END;
CREATE TRIGGER activity_report_resolved AFTER UPDATE OF action_taken_at ON reports
WHEN old.action_taken_at IS NULL AND new.action_taken_at IS NOT NULL BEGIN
  INSERT INTO day_changes VALUES (0, 'resolvedReports', new.action_taken_at, 1);
END;
CREATE TRIGGER activity_report_reopened AFTER UPDATE OF action_taken_at ON reports
WHEN old.action_taken_at IS NOT NULL AND new.action_taken_at IS NULL BEGIN
  INSERT INTO day_changes VALUES (0, 'resolvedReports', old.action_taken_at, -1);
END;

-- Existing rows: totals of servers, and the sizes of uploads by day. Counted once.
INSERT INTO domain_days (domain, day, accounts, statuses, reports, follows, followers,
  all_accounts, all_statuses, all_reports, all_follows, all_followers)
SELECT known.domain, 0, 0, 0, 0, 0, 0, count(*),
  sum((SELECT count(*) FROM statuses s WHERE s.account_id = known.id)),
  sum((SELECT count(*) FROM reports r WHERE r.target_account_id = known.id)),
  sum((SELECT count(*) FROM follows f WHERE f.target_account_id = known.id)),
  sum((SELECT count(*) FROM follows f WHERE f.account_id = known.id))
FROM accounts known WHERE known.domain IS NOT NULL GROUP BY known.domain;
INSERT INTO followed_accounts (account_id, domain, local_followers)
SELECT a.id, a.domain, count(*) FROM follows f CROSS JOIN accounts a ON a.id = f.target_account_id
WHERE a.domain IS NOT NULL GROUP BY a.id;
INSERT INTO media_days (day, bytes)
SELECT created_at / 86400000, sum(size_bytes) FROM media_attachments GROUP BY created_at / 86400000;

-- Moderators are asked once to review a trend; the last mail about any was sent then.
ALTER TABLE tags ADD COLUMN requested_review_at INTEGER;
ALTER TABLE trend_authors ADD COLUMN requested_review_at INTEGER;
ALTER TABLE trend_publishers ADD COLUMN requested_review_at INTEGER;
