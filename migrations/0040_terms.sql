-- Notices of new terms of service to members; mails until they are sent; figures of staff by blocks of days. Additive.

-- Summary of the changes for mail and page.
ALTER TABLE terms_of_service ADD COLUMN changelog TEXT NOT NULL DEFAULT '';

-- A table of its own: the texts of the terms are long, and this is read with sessions.
CREATE TABLE terms_notices (
  effective_on TEXT PRIMARY KEY REFERENCES terms_of_service (effective_on) ON DELETE CASCADE,
  -- Those who joined later agreed to these terms when they did.
  joined_before INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  -- The last account, by its id, whose mail was sent or is not wanted.
  mailed_up_to INTEGER NOT NULL DEFAULT 0,
  mails INTEGER NOT NULL DEFAULT 0,
  -- Number of the part whose mails come next, and parts in a row that were cut short because mail failed.
  part INTEGER NOT NULL DEFAULT 0,
  failed_parts INTEGER NOT NULL DEFAULT 0,
  finished_at INTEGER
) STRICT, WITHOUT ROWID;

-- When the user last said to have seen new terms.
ALTER TABLE users ADD COLUMN terms_seen_at INTEGER;

-- Mails to members that are sent by the queue, until they are.
CREATE TABLE unsent_mails (
  id INTEGER PRIMARY KEY,
  -- NULL: the account is deleted with the occasion of the mail.
  account_id INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  username TEXT NOT NULL,
  -- Address at the time of the occasion, which may be a change of it. Kept for a week at most.
  email TEXT NOT NULL,
  happened_at INTEGER NOT NULL
) STRICT;
CREATE INDEX unsent_mails_account ON unsent_mails (account_id);

-- Figures of staff by blocks of 96 days, so that a request reads few rows whatever range it asks for, and counters of
-- hashtags and languages, so that none reads statuses or users.

-- Days of a remote server but the latest one: {"20780": [accounts, statuses, reports, follows, followers, languages]}.
CREATE TABLE domain_day_blocks (
  domain TEXT NOT NULL,
  block INTEGER NOT NULL,
  days TEXT NOT NULL,
  PRIMARY KEY (domain, block)
) STRICT, WITHOUT ROWID;

-- The first change of a day puts the day before into its block: that one changes no more.
CREATE TRIGGER domain_day_blocks_fold AFTER INSERT ON domain_days BEGIN
  INSERT INTO domain_day_blocks (domain, block, days)
  SELECT d.domain, d.day / 96, json_object(CAST(d.day AS TEXT),
    json_array(d.accounts, d.statuses, d.reports, d.follows, d.followers, json(iif(json_valid(d.languages), d.languages, '{}'))))
  FROM domain_days d WHERE d.domain = new.domain
    AND d.day = (SELECT max(day) FROM domain_days WHERE domain = new.domain AND day < new.day)
  ON CONFLICT (domain, block) DO UPDATE SET days = json_patch(days, excluded.days);
END;
INSERT INTO domain_day_blocks (domain, block, days)
SELECT d.domain, d.day / 96, json_group_object(CAST(d.day AS TEXT),
  json_array(d.accounts, d.statuses, d.reports, d.follows, d.followers, json(iif(json_valid(d.languages), d.languages, '{}'))))
FROM domain_days d WHERE d.day < (SELECT max(day) FROM domain_days l WHERE l.domain = d.domain)
GROUP BY d.domain, d.day / 96;

-- Uses of a hashtag in public and unlisted statuses, on its latest day. Accounts and servers are named up to 200 and 100,
-- so that rows stay small; the uses of further servers are counted together under '*', local ones under '.'.
CREATE TABLE tag_counts (
  tag_id INTEGER PRIMARY KEY REFERENCES tags (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  uses INTEGER NOT NULL,
  account_count INTEGER NOT NULL,
  server_count INTEGER NOT NULL,
  accounts TEXT NOT NULL,
  servers TEXT NOT NULL,
  languages TEXT NOT NULL,
  last_server TEXT NOT NULL,
  last_language TEXT NOT NULL
) STRICT;
-- Its earlier days: {"20780": [uses, accounts, servers, languages]}.
CREATE TABLE tag_blocks (
  tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  block INTEGER NOT NULL,
  days TEXT NOT NULL,
  PRIMARY KEY (tag_id, block)
) STRICT, WITHOUT ROWID;

-- Statuses from before the latest day are old ones that were fetched, and count no more.
CREATE TRIGGER tag_counts_use AFTER INSERT ON status_tags BEGIN
  INSERT INTO tag_blocks (tag_id, block, days)
  SELECT c.tag_id, c.day / 96, json_object(CAST(c.day AS TEXT),
    json_array(c.uses, json(iif(json_valid(c.accounts), c.accounts, '{}')), json(iif(json_valid(c.servers), c.servers, '{}')), json(iif(json_valid(c.languages), c.languages, '{}'))))
  FROM tag_counts c CROSS JOIN statuses s ON s.id = new.status_id
  WHERE c.tag_id = new.tag_id AND c.day < (new.status_id / 4096 + 1167609600000) / 86400000
    AND s.visibility IN ('public', 'unlisted') AND s.local_only = 0
  ON CONFLICT (tag_id, block) DO UPDATE SET days = json_patch(days, excluded.days);
  INSERT INTO tag_counts (tag_id, day, uses, account_count, server_count, accounts, servers, languages, last_server,
    last_language)
  SELECT new.tag_id, (new.status_id / 4096 + 1167609600000) / 86400000, 1, 1, 1,
    json_object(CAST(u.account_id AS TEXT), 1), json_object(u.server, 1), json_object(u.language, 1), u.server, u.language
  FROM (SELECT s.account_id, iif(a.domain GLOB '*["\]*', '*', coalesce(a.domain, '.')) AS server,
      iif(s.language IS NULL OR s.language GLOB '*[^a-zA-Z0-9-]*', 'und', s.language) AS language
    FROM statuses s CROSS JOIN accounts a ON a.id = s.account_id
    WHERE s.id = new.status_id AND s.visibility IN ('public', 'unlisted') AND s.local_only = 0) u
  WHERE true
  ON CONFLICT (tag_id) DO UPDATE SET
    day = excluded.day,
    uses = iif(day < excluded.day, 1, uses + 1),
    account_count = iif(day < excluded.day, 1,
      account_count + (account_count < 200 AND json_patch(accounts, excluded.accounts) <> accounts)),
    accounts = CASE WHEN day < excluded.day THEN excluded.accounts
      WHEN account_count < 200 THEN json_patch(accounts, excluded.accounts) ELSE accounts END,
    server_count = iif(day < excluded.day, 1,
      server_count + (server_count < 100 AND servers ->> ('$."' || excluded.last_server || '"') IS NULL)),
    servers = CASE WHEN day < excluded.day THEN excluded.servers
      WHEN server_count < 100 OR servers ->> ('$."' || excluded.last_server || '"') IS NOT NULL
      THEN json_set(servers, '$."' || excluded.last_server || '"',
        1 + coalesce(servers ->> ('$."' || excluded.last_server || '"'), 0))
      ELSE json_set(servers, '$."*"', 1 + coalesce(servers ->> '$."*"', 0)) END,
    languages = iif(day < excluded.day, excluded.languages, json_set(languages, '$."' || excluded.last_language || '"',
      1 + coalesce(languages ->> ('$."' || excluded.last_language || '"'), 0))),
    last_server = excluded.last_server,
    last_language = excluded.last_language
  WHERE excluded.day >= day;
END;

-- Days of activity but the two latest: {"20780": [users, sketch, cohorts, month_cohorts, servers, locales]}.
CREATE TABLE active_blocks (
  block INTEGER PRIMARY KEY,
  days TEXT NOT NULL
) STRICT;
-- Users by the day they were last active and their language, as changes: {"20780/en": 1, "20779/en": -1}.
ALTER TABLE active_days ADD COLUMN locales TEXT NOT NULL DEFAULT '{}';

-- The servers of yesterday are counted today, so the day before yesterday is the latest that is complete.
CREATE TRIGGER active_blocks_fold AFTER INSERT ON active_days BEGIN
  INSERT INTO active_blocks (block, days)
  SELECT d.day / 96, json_group_object(CAST(d.day AS TEXT),
    json_array(d.users, d.sketch, json(iif(json_valid(d.cohorts), d.cohorts, '{}')), json(iif(json_valid(d.month_cohorts), d.month_cohorts, '{}')), json(iif(json_valid(d.servers), d.servers, '{}')), json(iif(json_valid(d.locales), d.locales, '{}'))))
  FROM (SELECT * FROM active_days WHERE day < new.day ORDER BY day DESC LIMIT 4) d
  WHERE d.day < new.day - 1 GROUP BY d.day / 96
  ON CONFLICT (block) DO UPDATE SET days = json_patch(days, excluded.days);
END;
INSERT INTO active_blocks (block, days)
SELECT d.day / 96, json_group_object(CAST(d.day AS TEXT),
  json_array(d.users, d.sketch, json(iif(json_valid(d.cohorts), d.cohorts, '{}')), json(iif(json_valid(d.month_cohorts), d.month_cohorts, '{}')), json(iif(json_valid(d.servers), d.servers, '{}')), json(iif(json_valid(d.locales), d.locales, '{}'))))
FROM active_days d WHERE d.day < (SELECT max(day) FROM active_days) - 1 GROUP BY d.day / 96;
-- Block -1 holds the users of before.
INSERT INTO active_blocks (block, days)
SELECT -1, json_object('-1', json_array(0, '', json('{}'), json('{}'), json('{}'), json((
  SELECT json_group_object(at, users) FROM (
    SELECT (last_active_at / 86400000) || '/' || replace(locale, '"', '') AS at, count(*) AS users
    FROM users WHERE last_active_at IS NOT NULL GROUP BY 1)))));

CREATE TRIGGER active_locales_joined AFTER INSERT ON users WHEN new.last_active_at IS NOT NULL BEGIN
  INSERT INTO active_days (day, sketch, locales)
  VALUES (max(coalesce((SELECT max(day) FROM active_days), 0), new.last_active_at / 86400000), hex(zeroblob(1024)),
    json_object((new.last_active_at / 86400000) || '/' || replace(new.locale, '"', ''), 1))
  ON CONFLICT (day) DO UPDATE SET locales = json_set(iif(json_valid(locales), locales, '{}'),
    '$."' || (new.last_active_at / 86400000) || '/' || replace(new.locale, '"', '') || '"',
    1 + coalesce(iif(json_valid(locales), locales, '{}') ->> ('$."' || (new.last_active_at / 86400000) || '/' || replace(new.locale, '"', '') || '"'), 0));
END;
CREATE TRIGGER active_locales_left AFTER DELETE ON users WHEN old.last_active_at IS NOT NULL BEGIN
  UPDATE active_days SET locales = json_set(iif(json_valid(locales), locales, '{}'),
    '$."' || (old.last_active_at / 86400000) || '/' || replace(old.locale, '"', '') || '"',
    coalesce(iif(json_valid(locales), locales, '{}') ->> ('$."' || (old.last_active_at / 86400000) || '/' || replace(old.locale, '"', '') || '"'), 0) - 1)
  WHERE day = (SELECT max(day) FROM active_days);
END;
CREATE TRIGGER active_locales_changed AFTER UPDATE OF locale ON users
WHEN old.last_active_at IS NOT NULL AND old.locale <> new.locale BEGIN
  UPDATE active_days SET locales = json_set(iif(json_valid(locales), locales, '{}'),
    '$."' || (old.last_active_at / 86400000) || '/' || replace(old.locale, '"', '') || '"',
    coalesce(iif(json_valid(locales), locales, '{}') ->> ('$."' || (old.last_active_at / 86400000) || '/' || replace(old.locale, '"', '') || '"'), 0) - 1,
    '$."' || (old.last_active_at / 86400000) || '/' || replace(new.locale, '"', '') || '"',
    coalesce(iif(json_valid(locales), locales, '{}') ->> ('$."' || (old.last_active_at / 86400000) || '/' || replace(new.locale, '"', '') || '"'), 0) + 1)
  WHERE day = (SELECT max(day) FROM active_days);
END;

-- Bytes of uploads that are still there, by blocks of 256 days: the total is a sum over few rows. Replaces media_days.
CREATE TABLE media_blocks (
  block INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL,
  days TEXT NOT NULL
) STRICT;
INSERT INTO media_blocks (block, bytes, days)
SELECT day / 256, sum(bytes), json_group_object(CAST(day AS TEXT), bytes) FROM media_days GROUP BY day / 256;
DROP TRIGGER media_days_upload;
DROP TRIGGER media_days_deleted;
CREATE TRIGGER media_blocks_upload AFTER INSERT ON media_attachments BEGIN
  INSERT INTO media_blocks (block, bytes, days)
  VALUES (new.created_at / 86400000 / 256, new.size_bytes,
    json_object(CAST(new.created_at / 86400000 AS TEXT), new.size_bytes))
  ON CONFLICT (block) DO UPDATE SET bytes = bytes + excluded.bytes,
    days = json_set(days, '$."' || (new.created_at / 86400000) || '"',
      coalesce(days ->> ('$."' || (new.created_at / 86400000) || '"'), 0) + new.size_bytes);
END;
CREATE TRIGGER media_blocks_deleted AFTER DELETE ON media_attachments BEGIN
  UPDATE media_blocks SET bytes = bytes - old.size_bytes,
    days = json_set(days, '$."' || (old.created_at / 86400000) || '"',
      coalesce(days ->> ('$."' || (old.created_at / 86400000) || '"'), 0) - old.size_bytes)
  WHERE block = old.created_at / 86400000 / 256;
END;
