-- Indexes of previews: each was a row written for each preview. No statement used the one of cards, and old pages are found by
-- going through all, some in a run. See src/domain/links/prune.ts.
DROP INDEX IF EXISTS preview_cards_updated;
DROP INDEX IF EXISTS preview_pages_due;
