-- Terms of service as they were published, one version a day at most. What is in the settings is the latest of them.
CREATE TABLE terms_of_service (
  effective_on TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  published_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO terms_of_service (effective_on, text, published_at)
  SELECT date(updated_at / 1000, 'unixepoch'), value ->> '$', updated_at
  FROM settings WHERE key = 'instance.termsOfService' AND value <> 'null';
