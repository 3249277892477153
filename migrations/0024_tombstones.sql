-- 1: everybody could read what was there, so its address answers that it is gone. Of earlier rows that is known of
-- accounts alone: statuses among them may have been private, and their addresses answer like those that never were.
ALTER TABLE tombstones ADD COLUMN published INTEGER NOT NULL DEFAULT 0;
UPDATE tombstones SET published = 1 WHERE uri GLOB 'http*://*/users/*' AND uri NOT GLOB 'http*://*/users/*/*';
-- The others only keep late copies away, and are forgotten by age and number.
CREATE INDEX tombstones_unpublished ON tombstones (deleted_at) WHERE published = 0;
