-- Files of this server that evidence shows. They outlive the uploads: instead of being deleted they are moved to where no
-- address leads. Additive.
CREATE TABLE evidence_files (
  file_key TEXT NOT NULL,
  -- No foreign key: where evidence goes with its report, the row still names the file to be deleted.
  evidence_id INTEGER NOT NULL,
  -- Time at which a job looks whether the file is still needed.
  check_at INTEGER NOT NULL,
  PRIMARY KEY (file_key, evidence_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_files_evidence ON evidence_files (evidence_id);
CREATE INDEX evidence_files_check ON evidence_files (check_at);

-- Evidence kept so far.
INSERT INTO evidence_files (file_key, evidence_id, check_at)
  SELECT file.value, e.id, e.created_at + 2592000000
  FROM moderation_evidence e CROSS JOIN json_each(iif(json_valid(e.snapshot), e.snapshot, '{}'), '$.attachments') attached
    CROSS JOIN json_each(json_array(attached.value ->> '$.file.key', attached.value ->> '$.file.still',
      attached.value ->> '$.preview.key')) file
  WHERE file.value IS NOT NULL
  ON CONFLICT DO NOTHING;
