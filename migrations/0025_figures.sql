-- Figures that everybody is shown no longer count what stays on this server, nor answers that are not for everybody:
-- what they counted so far is taken out. Local-only statuses are found by the accounts of this server, who alone make them.
UPDATE accounts SET statuses_count = max(0, statuses_count - (
    SELECT count(*) FROM statuses s WHERE s.account_id = accounts.id AND s.local_only = 1 AND s.visibility <> 'direct'))
  WHERE id IN (SELECT s.account_id FROM users u CROSS JOIN statuses s ON s.account_id = u.account_id WHERE s.local_only = 1);

UPDATE statuses SET replies_count = max(0, replies_count - (
    SELECT count(*) FROM statuses r WHERE r.in_reply_to_id = statuses.id AND r.local_only = 1
      AND r.visibility IN ('public', 'unlisted')))
  WHERE local_only = 0 AND id IN (
    SELECT s.in_reply_to_id FROM users u CROSS JOIN statuses s ON s.account_id = u.account_id WHERE s.local_only = 1);

UPDATE statuses SET quotes_count = max(0, quotes_count - (
    SELECT count(*) FROM quotes q CROSS JOIN statuses s ON s.id = q.status_id
    WHERE q.quoted_status_id = statuses.id AND q.state = 'accepted' AND s.local_only = 1))
  WHERE local_only = 0 AND id IN (
    SELECT q.quoted_status_id FROM users u CROSS JOIN statuses s ON s.account_id = u.account_id
      CROSS JOIN quotes q ON q.status_id = s.id WHERE s.local_only = 1);

UPDATE counters SET value = max(0, value - (
    SELECT count(*) FROM users u CROSS JOIN statuses s ON s.account_id = u.account_id
    WHERE s.local_only = 1 AND s.visibility <> 'direct'))
  WHERE name = 'statuses';

UPDATE counters SET value = (
    SELECT count(*) FROM users u CROSS JOIN statuses s ON s.account_id = u.account_id
    WHERE s.in_reply_to_id IS NOT NULL AND s.visibility IN ('public', 'unlisted') AND s.local_only = 0)
  WHERE name = 'replies';
