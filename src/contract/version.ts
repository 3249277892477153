import { repository } from '../../package.json'

/** The version in package.json, which a test compares with this. */
export const softwareVersion = '0.2.0'

/** Supported version of Mastodon's API. `number` is `api_versions.mastodon`, by which newer clients decide. */
export const apiVersion = { mastodon: '4.6.5', number: 11 } as const

/**
 * Version of the administration API, `api_versions.fieldfare`: commands name the one they need. It grows with each
 * endpoint or parameter that a command begins to use.
 */
export const administrationApiVersion = 2

/**
 * The version reported to clients, in the form of Mastodon's forks: Mastodon's version, then our own as build
 * metadata. Clients parse it to decide what to offer, and many reject anything but a semantic version.
 */
export const versionForClients = `${apiVersion.mastodon}+fieldfare-${softwareVersion}`

/** Domains that RFC 2606 keeps for examples: no repository is there. */
const placeholder = /(^|\.)(example|invalid|test|localhost|example\.(org|com|net))$/

/** Address that `repository` in package.json names; null where it is a placeholder or no https address. */
export const repositoryAddress = addressOf(repository.url)

/** Address of a repository as package.json writes it, without `git+` and `.git`. */
export function addressOf(url: string): string | null {
  const address = URL.parse(url.replace(/^git\+/, ''))
  if (address?.protocol !== 'https:' || placeholder.test(address.hostname)) return null
  return address.origin + address.pathname.replace(/\/$/, '').replace(/\.git$/, '')
}
