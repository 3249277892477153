-- Per follow: replies to others stay out of the home feed, and at most one status a day enters it.
ALTER TABLE follows ADD COLUMN show_replies INTEGER NOT NULL DEFAULT 1;
ALTER TABLE follows ADD COLUMN fewer INTEGER NOT NULL DEFAULT 0;
ALTER TABLE follow_requests ADD COLUMN show_replies INTEGER NOT NULL DEFAULT 1;
ALTER TABLE follow_requests ADD COLUMN fewer INTEGER NOT NULL DEFAULT 0;
ALTER TABLE severed_follows ADD COLUMN show_replies INTEGER NOT NULL DEFAULT 1;
ALTER TABLE severed_follows ADD COLUMN fewer INTEGER NOT NULL DEFAULT 0;
-- Per followed hashtag: at most one status a day enters the home feed for it.
ALTER TABLE tag_follows ADD COLUMN fewer INTEGER NOT NULL DEFAULT 0;

-- For the settings that list them. Without a row for other follows, these write nothing more.
CREATE INDEX follows_fewer ON follows (account_id) WHERE fewer = 1;
CREATE INDEX tag_follows_fewer ON tag_follows (account_id) WHERE fewer = 1;
