-- Collections as they were when they were reported or led to a strike. They outlive the collections. Additive.
CREATE TABLE collection_evidence (
  id INTEGER PRIMARY KEY,
  report_id INTEGER REFERENCES reports (id) ON DELETE CASCADE,
  strike_id INTEGER REFERENCES account_warnings (id) ON DELETE CASCADE,
  collection_id INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX collection_evidence_report ON collection_evidence (report_id, collection_id)
  WHERE report_id IS NOT NULL;
CREATE UNIQUE INDEX collection_evidence_strike ON collection_evidence (strike_id, collection_id)
  WHERE strike_id IS NOT NULL;
