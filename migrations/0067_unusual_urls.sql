-- Fewer rows written a day (docs/operate/limits-and-costs.md). Safe for the code of before, which reads all accounts where
-- somebody enters the address of a page until the new code is there.

-- Addresses of profile pages that do not follow from the handle: most do, and are found by it.
CREATE INDEX accounts_unusual_urls ON accounts (url) WHERE url <> 'https://' || domain || '/@' || username;
DROP INDEX IF EXISTS accounts_url;
