const activityStreams = 'https://www.w3.org/ns/activitystreams'

/** What to ask for when only an ActivityPub document will do. The profile is named: some servers insist on it. */
export const acceptActivity = `application/activity+json, application/ld+json; profile="${activityStreams}"`

/** The same, where a page that links to one will do as well. */
export const acceptActivityOrPage = `${acceptActivity}, text/html;q=0.1`

/**
 * Is this the type of an ActivityPub document? Nothing else is read as one, or what somebody uploaded as a file
 * could pose as an actor of its server.
 */
export function isActivityType(contentType: string | null): boolean {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim())
  if (type.toLowerCase() === 'application/activity+json') return true
  return type.toLowerCase() === 'application/ld+json' && parameters.some(namesProfile)
}

export function isPageType(contentType: string | null): boolean {
  return /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(contentType ?? '')
}

/** A profile may list several addresses, and not everybody quotes them. */
function namesProfile(parameter: string): boolean {
  const found = /^profile\s*=\s*(["']?)(.*)\1$/i.exec(parameter)
  return found?.[2]?.split(/\s+/).includes(activityStreams) ?? false
}
