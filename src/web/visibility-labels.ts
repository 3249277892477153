import type { Visibility } from '../db/schema/statuses'
import type { TextKey } from '../lib/translate'

/** Labels of the visibilities that forms offer, widest first. */
export const visibilityLabels: Readonly<Record<Visibility, TextKey>> = {
  public: 'common.everyone',
  unlisted: 'client.quietPublic',
  private: 'field.followers',
  direct: 'client.audience.direct',
}

export function isVisibility(text: string): text is Visibility {
  return Object.hasOwn(visibilityLabels, text)
}
