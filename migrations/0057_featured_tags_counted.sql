-- Uses of a featured hashtag are counted in parts: statuses below this id are not counted yet. Null: all are. Additive.
ALTER TABLE featured_tags ADD COLUMN counting_before INTEGER;
