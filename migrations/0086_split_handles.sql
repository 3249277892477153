-- Remote accounts whose handle has another domain than the host of their id: searched by their name at that host. Only
-- those have a row, so most accounts write no index entry more. Additive: the code of before does not read it.
CREATE INDEX accounts_split_handles ON accounts (substr(uri, 9, instr(substr(uri, 9), '/') - 1), lower(username))
  WHERE domain <> substr(uri, 9, instr(substr(uri, 9), '/') - 1);
