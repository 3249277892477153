/** The version in package.json, which a test holds against this. */
export const softwareVersion = '0.1.0'

/** What of Mastodon's API is spoken. `number` is `api_versions.mastodon`, by which newer clients decide. */
export const apiVersion = { mastodon: '4.6.5', number: 11 } as const

/**
 * The version clients are told, in the form of Mastodon's forks: Mastodon's version, then our own as build metadata.
 * Clients parse it to decide what to offer, and many take anything but a semantic version for none at all.
 */
export const versionForClients = `${apiVersion.mastodon}+fieldfare-${softwareVersion}`
