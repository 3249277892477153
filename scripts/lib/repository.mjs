// The address of the repository, which stands in one place: `repository` in package.json.
import { readFileSync } from 'node:fs'

/** Domains that RFC 2606 keeps for examples: no repository is there. src/contract/version.ts has the same rule, and a test compares them. */
const reserved = /(^|\.)(example|invalid|test|localhost|example\.(org|com|net))$/

/** Address that package.json names, without `.git`; null where it is a placeholder or no address on the web. */
export function repositoryAddress({ repository }) {
  const named = typeof repository === 'string' ? repository : repository?.url
  if (typeof named !== 'string') return null
  const url = URL.parse(named.replace(/^git\+/, ''))
  if (url?.protocol !== 'https:' || reserved.test(url.hostname)) return null
  return `https://${url.host}${url.pathname.replace(/\/$/, '').replace(/\.git$/, '')}`
}

export function readManifest(root) {
  return JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
}
