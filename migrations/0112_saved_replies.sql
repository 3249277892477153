-- Short texts that a member answers with again and again: at most thirty of an account, each with a name of its own.
CREATE TABLE saved_replies (
  account_id INTEGER NOT NULL,
  id INTEGER NOT NULL,
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
