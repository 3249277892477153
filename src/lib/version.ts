/** The version in package.json, which a test holds against this. */
export const softwareVersion = '0.1.0'

/** What of Mastodon's API is spoken: clients read the first number to know what they may ask for. */
export const apiVersion = { mastodon: '4.5.0', number: 7 } as const
