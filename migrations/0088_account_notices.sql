-- What a member is told on top of every page: the newest decision of the moderators that they were notified of and have
-- neither read nor appealed against, and, once, that the first steps are there. Members who wait for confirmation or
-- approval come to the first steps when they may use their account.

ALTER TABLE users ADD COLUMN strike_to_see INTEGER;
ALTER TABLE users ADD COLUMN first_steps_due INTEGER NOT NULL DEFAULT 0;

-- A trigger, for a decision about many posts has no statement to spare.
ALTER TABLE account_warnings ADD COLUMN announced INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER account_warnings_announced AFTER INSERT ON account_warnings WHEN NEW.announced = 1 BEGIN
  UPDATE users SET strike_to_see = NEW.id WHERE account_id = NEW.target_account_id;
END;

UPDATE users SET first_steps_due = 1 WHERE approved = 0 OR confirmed_at IS NULL;
