-- Counts of reblogs are public: they leave out those for followers, but of statuses that are for followers themselves. Safe
-- for the code of before, which counts the ones made until the new code is there.

UPDATE statuses SET reblogs_count = max(0, reblogs_count - hidden.count)
FROM (
  SELECT shared.reblog_of_id AS id, count(*) AS count
  FROM statuses shared CROSS JOIN statuses original ON original.id = shared.reblog_of_id
  WHERE shared.reblog_of_id IS NOT NULL AND shared.visibility = 'private' AND original.visibility <> 'private'
  GROUP BY shared.reblog_of_id
) hidden
WHERE statuses.id = hidden.id;
