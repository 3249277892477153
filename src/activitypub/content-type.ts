const activityStreams = 'https://www.w3.org/ns/activitystreams'

/** Accept header for requests that need an ActivityPub document. Some servers insist on the profile. */
export const acceptActivity = `application/activity+json, application/ld+json; profile="${activityStreams}"`

/** Accept header for requests that also take a page linking to a document. */
export const acceptActivityOrPage = `${acceptActivity}, text/html;q=0.1`

/**
 * Whether this is the media type of an ActivityPub document. Any other type is refused, or an uploaded file could
 * pose as an actor of its server.
 */
export function isActivityType(contentType: string | null): boolean {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim())
  if (type.toLowerCase() === 'application/activity+json') return true
  return type.toLowerCase() === 'application/ld+json' && parameters.some(namesProfile)
}

export function isPageType(contentType: string | null): boolean {
  return /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(contentType ?? '')
}

/** Matches the profile parameter, which may list several addresses and may be unquoted. */
function namesProfile(parameter: string): boolean {
  const found = /^profile\s*=\s*(["']?)(.*)\1$/i.exec(parameter)
  return found?.[2]?.split(/\s+/).includes(activityStreams) ?? false
}
