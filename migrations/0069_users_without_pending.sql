-- The number of users leaves out those who wait for approval. Safe for the code of before, which counts them again only as
-- it signs them up: until the new code is there the number may be too high by these.

UPDATE counters SET value = max(0, value - (
  SELECT count(*) FROM users u CROSS JOIN accounts a ON a.id = u.account_id WHERE u.approved = 0 AND a.suspended_at IS NULL
)) WHERE name = 'users';
