-- What people do not want to meet. Filters without an end have no expires_at; contexts are a JSON list.
CREATE TABLE filters (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  contexts TEXT NOT NULL,
  action TEXT NOT NULL,
  expires_at INTEGER
) STRICT;
CREATE INDEX filters_account ON filters (account_id);

CREATE TABLE filter_keywords (
  id INTEGER PRIMARY KEY,
  filter_id INTEGER NOT NULL REFERENCES filters (id) ON DELETE CASCADE,
  keyword TEXT NOT NULL,
  whole_word INTEGER NOT NULL
) STRICT;
CREATE INDEX filter_keywords_filter ON filter_keywords (filter_id);

CREATE TABLE filter_statuses (
  id INTEGER PRIMARY KEY,
  filter_id INTEGER NOT NULL REFERENCES filters (id) ON DELETE CASCADE,
  status_id INTEGER NOT NULL REFERENCES statuses (id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX filter_statuses_filter ON filter_statuses (filter_id, status_id);
CREATE INDEX filter_statuses_status ON filter_statuses (status_id);

-- Another number after every change of somebody's filters, null without any: whoever holds them compiled reads this
-- one cell instead of all of them.
ALTER TABLE users ADD COLUMN filters_version INTEGER;
