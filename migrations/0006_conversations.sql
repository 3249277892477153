-- What each person here has going on in direct statuses: one row per thread and set of others in it. `id` is the
-- first status of it, which is in one row of a person only.
CREATE TABLE conversations (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  id INTEGER NOT NULL,
  conversation_id INTEGER NOT NULL,
  -- The ids of the others as a JSON list in order; none where somebody writes to themselves.
  participants TEXT NOT NULL,
  last_status_id INTEGER NOT NULL,
  unread INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX conversations_thread ON conversations (account_id, conversation_id, participants);
CREATE INDEX conversations_latest ON conversations (account_id, last_status_id);

-- The direct statuses of a thread, for what is the last one when a later one goes.
CREATE INDEX statuses_direct ON statuses (conversation_id, id) WHERE visibility = 'direct';

-- What is there already has been read; the newest 100,000 statuses do.
INSERT OR IGNORE INTO conversations (account_id, id, conversation_id, participants, last_status_id)
SELECT viewer, min(status_id), conversation_id, participants, max(status_id)
FROM (
  SELECT u.account_id AS viewer, s.id AS status_id, s.conversation_id,
    (SELECT json_group_array(person) FROM (
      SELECT s.account_id AS person UNION SELECT named.value ->> 'id' FROM json_each(s.mentions) named ORDER BY 1
    ) WHERE person <> u.account_id) AS participants
  FROM (
    SELECT id, account_id, conversation_id, mentions FROM statuses WHERE visibility = 'direct'
    ORDER BY conversation_id DESC, id DESC LIMIT 100000
  ) s
  CROSS JOIN json_each(json_insert(s.mentions, '$[#]', json_object('id', s.account_id))) party
  CROSS JOIN users u ON u.account_id = party.value ->> 'id'
) found
WHERE NOT EXISTS (
  SELECT 1 FROM json_each(found.participants) other CROSS JOIN accounts a ON a.id = other.value
  WHERE EXISTS (SELECT 1 FROM blocks b WHERE b.account_id = viewer AND b.target_account_id = a.id)
    OR EXISTS (SELECT 1 FROM mutes m WHERE m.account_id = viewer AND m.target_account_id = a.id
      AND m.hide_notifications = 1)
    OR EXISTS (SELECT 1 FROM account_domain_blocks d WHERE d.account_id = viewer AND d.domain = a.domain)
)
GROUP BY viewer, conversation_id, participants;
