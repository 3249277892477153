-- Domains of remote accounts under their labels from the right, social.example as example.social: a server and its
-- subdomains are one range. A row for each server ever met; those whose accounts are gone stay. Additive.
CREATE TABLE known_domains (
  reversed TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO known_domains (reversed, name)
SELECT (SELECT group_concat(label.value, '.') FROM (SELECT value FROM json_each('[' || replace(json_quote(met.domain), '.', '","') || ']')
  ORDER BY key DESC) label), met.domain
FROM (SELECT DISTINCT domain FROM accounts WHERE domain IS NOT NULL) met;

-- Of the first account of a server; with others there it is known.
CREATE TRIGGER known_domains_account AFTER INSERT ON accounts
WHEN new.domain IS NOT NULL AND NOT EXISTS (SELECT 1 FROM accounts WHERE domain = new.domain AND id <> new.id) BEGIN
  INSERT OR IGNORE INTO known_domains (reversed, name)
  VALUES ((SELECT group_concat(label.value, '.') FROM (SELECT value FROM json_each('[' || replace(json_quote(new.domain), '.', '","') || ']')
    ORDER BY key DESC) label), new.domain);
END;
