-- Accounts of other servers are found by the address of their profile page, which is what people copy.
CREATE INDEX accounts_url ON accounts (url) WHERE url IS NOT NULL;
