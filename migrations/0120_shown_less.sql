-- What a member sees less of, for the page that lists it. Rows without such choices are in none of these.
CREATE INDEX follows_quieter ON follows (account_id, id)
  WHERE show_reblogs = 0 OR show_replies = 0 OR fewer = 1 OR languages IS NOT NULL;
CREATE INDEX mutes_temporary ON mutes (account_id, id) WHERE expires_at IS NOT NULL;
CREATE INDEX tag_follows_quieter ON tag_follows (account_id, id) WHERE fewer = 1 OR snoozed_until IS NOT NULL;
