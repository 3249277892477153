import type { Preferences as Entity } from '../../contract/entities/preferences'
import type { Preferences } from '../../domain/users/defaults'

export function presentPreferences(preferences: Preferences): Entity {
  return {
    'posting:default:visibility': preferences.visibility,
    'posting:default:sensitive': preferences.sensitive,
    'posting:default:language': preferences.language,
    'posting:default:quote_policy': preferences.quotePolicy,
    'reading:expand:media': preferences.expandMedia,
    'reading:expand:spoilers': preferences.expandSpoilers,
    'reading:autoplay:gifs': preferences.autoplayGifs,
  }
}
