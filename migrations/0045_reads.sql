-- Lists of moderators that are read in the order they are paged in. Both tables are written seldom.
CREATE INDEX audit_log_type ON audit_log (target_type, id);
CREATE INDEX custom_emojis_own ON custom_emojis (id) WHERE domain IS NULL;

-- Trends are paged by their rank: a page read all of them, twice.
CREATE INDEX trending_tags_rank ON trending_tags (rank);
CREATE INDEX trending_statuses_rank ON trending_statuses (rank);
CREATE INDEX trending_links_rank ON trending_links (rank);
