-- Per follow: replies to others stay out of the home feed, and at most one status a day enters it.
ALTER TABLE follows ADD COLUMN show_replies INTEGER NOT NULL DEFAULT 1;
ALTER TABLE follows ADD COLUMN fewer INTEGER NOT NULL DEFAULT 0;
ALTER TABLE follow_requests ADD COLUMN show_replies INTEGER NOT NULL DEFAULT 1;
ALTER TABLE follow_requests ADD COLUMN fewer INTEGER NOT NULL DEFAULT 0;
ALTER TABLE severed_follows ADD COLUMN show_replies INTEGER NOT NULL DEFAULT 1;
ALTER TABLE severed_follows ADD COLUMN fewer INTEGER NOT NULL DEFAULT 0;
