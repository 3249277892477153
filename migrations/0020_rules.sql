-- Who blocks somebody: connections hold that while their account listens.
CREATE INDEX blocks_target ON blocks (target_account_id, account_id);
