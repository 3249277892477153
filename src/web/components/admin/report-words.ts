import { message } from '../../../lib/translate'

type Words = Readonly<Record<string, string>>

/** Categories of reports. */
export const categoryTexts: Words = {
  spam: message('spam'),
  legal: message('illegal content'),
  violation: message('broken rule'),
  other: message('other reason'),
}

/** Decisions of moderators, as a strike names them. */
export const actionTexts: Words = {
  none: message('warning'),
  disable: message('account disabled'),
  mark_statuses_as_sensitive: message('posts marked as sensitive'),
  delete_statuses: message('posts deleted'),
  sensitive: message('media marked as sensitive'),
  silence: message('limit'),
  suspend: message('suspension'),
}

export const visibilityTexts: Words = {
  public: message('public'),
  unlisted: message('quiet public'),
  private: message('followers only'),
  direct: message('mentioned people only'),
}
