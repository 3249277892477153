-- Notifications that their recipient's policy filters are not passed over one by one. In place of the index before.
DROP INDEX notifications_account;
CREATE INDEX notifications_account ON notifications (account_id, filtered, id);

-- Lists are read in the order they are paged in. Both tables are written seldom: one row more for each of their rows.
CREATE INDEX endorsements_account ON endorsements (account_id, id);
CREATE INDEX account_domain_blocks_account ON account_domain_blocks (account_id, id);
