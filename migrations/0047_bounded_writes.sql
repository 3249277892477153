-- The latest reblogs of a status, in the order of their ids. Without it, each reblog and each withdrawal of one sorted all
-- reblogs of the status: 2,200 rows for one that was reblogged as often. Written once for each reblog.
CREATE INDEX statuses_reblogs ON statuses (reblog_of_id) WHERE reblog_of_id IS NOT NULL;

-- Hashtags that edits took off a status. Home feeds of followers of the tag still show it, and their live streams hear of
-- its next edits. No reference: what deletes an edited status deletes its rows.
CREATE TABLE former_tags (
  status_id INTEGER NOT NULL,
  tag_id INTEGER NOT NULL,
  PRIMARY KEY (status_id, tag_id)
) STRICT, WITHOUT ROWID;
