-- Which texts of this server name which shortcodes, whether there is such an emoji or not: what has to show another
-- list of emojis once one comes, goes, or is taken out of use. Rows of what is deleted go when they are next looked at.
CREATE TABLE emoji_uses (
  shortcode TEXT NOT NULL,
  kind TEXT NOT NULL, -- status, account, announcement
  subject_id INTEGER NOT NULL,
  PRIMARY KEY (shortcode, kind, subject_id)
) STRICT, WITHOUT ROWID;

-- What was there before: everything between two colons that could be a shortcode. The text itself is asked again.
INSERT OR IGNORE INTO emoji_uses (shortcode, kind, subject_id)
WITH RECURSIVE
  said (kind, id, words) AS (
    SELECT 'status', s.id, s.text || ' ' || s.spoiler_text || ' ' || coalesce(p.options, '')
      FROM statuses s LEFT JOIN polls p ON p.id = s.poll_id WHERE s.local = 1 AND s.reblog_of_id IS NULL
    UNION ALL
    SELECT 'account', id, display_name || ' ' || note || ' ' || fields FROM accounts WHERE domain IS NULL
    UNION ALL
    SELECT 'announcement', id, text FROM announcements
  ),
  part (kind, id, rest, name) AS (
    SELECT kind, id, substr(words, instr(words, ':') + 1), '' FROM said WHERE instr(words, ':') > 0
    UNION ALL
    SELECT kind, id, substr(rest, instr(rest, ':') + 1), substr(rest, 1, instr(rest, ':') - 1)
      FROM part WHERE instr(rest, ':') > 0
  )
SELECT name, kind, id FROM part WHERE length(name) BETWEEN 2 AND 128 AND name NOT GLOB '*[^A-Za-z0-9_]*';
