import type { Visibility } from '../db/schema/statuses'
import { message } from '../lib/translate'

/** Labels of the visibilities that forms offer, widest first. */
export const visibilityLabels: Readonly<Record<Visibility, string>> = {
  public: message('Everyone'),
  unlisted: message('Everyone, but not in public timelines'),
  private: message('Followers'),
  direct: message('Only people I mention'),
}

export function isVisibility(text: string): text is Visibility {
  return Object.hasOwn(visibilityLabels, text)
}
