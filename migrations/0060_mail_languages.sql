-- Language of a mail that waits to be sent: its account may be deleted by then. Additive; those that wait are English.
ALTER TABLE unsent_mails ADD COLUMN locale TEXT NOT NULL DEFAULT 'en';
