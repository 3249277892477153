-- Pruning: what it asks about many statuses is answered by an index. Additive.

-- Threads in which somebody here wrote stay whole: one row more for each local status that is no reblog.
CREATE INDEX statuses_local_threads ON statuses (conversation_id) WHERE local = 1 AND reblog_of_id IS NULL;
CREATE INDEX conversation_mutes_conversation ON conversation_mutes (conversation_id);

-- Addresses of sign-ups by their age.
CREATE INDEX users_sign_up_address ON users (created_at) WHERE sign_up_ip IS NOT NULL;
-- Tombstones that readers are shown, by their age.
CREATE INDEX tombstones_published ON tombstones (deleted_at) WHERE published = 1;

-- 1: somebody signed in by the application, so statuses may name it. Others are pruned once they have no token.
ALTER TABLE applications ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
UPDATE applications SET used = 1 WHERE
  EXISTS (SELECT 1 FROM access_tokens t WHERE t.application_id = applications.id AND t.account_id IS NOT NULL)
  OR id IN (SELECT s.application_id FROM users u CROSS JOIN statuses s ON s.account_id = u.account_id
    WHERE s.application_id IS NOT NULL);
CREATE TRIGGER applications_used AFTER INSERT ON access_tokens WHEN new.account_id IS NOT NULL BEGIN
  UPDATE applications SET used = 1 WHERE id = new.application_id AND used = 0;
END;
CREATE INDEX applications_unused ON applications (created_at) WHERE used = 0;
