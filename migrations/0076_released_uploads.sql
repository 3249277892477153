-- The deleted status that an upload was released from, while its files are where no address leads. Additive: the code of
-- before neither reads nor sets it.

ALTER TABLE media_attachments ADD COLUMN released_from INTEGER;
CREATE INDEX media_attachments_released ON media_attachments (released_from) WHERE released_from IS NOT NULL;
