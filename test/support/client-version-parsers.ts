/**
 * Parsers of `version` and NodeInfo in published clients, by the rules of their sources, written anew. Each throws
 * or answers null where the client gives up.
 */

type Triple = readonly [number, number, number]

/** Mastodon.py 1.8 and 2.x: up to the first blank; behind a + if that alone is a version (Hometown), or before it. */
export function readAsMastodonPy(text: string): Triple {
  const [word = ''] = text.split(' ')
  const [before = '', after] = word.split('+')
  return (after === undefined ? null : leadingDigits(after)) ?? leadingDigits(before) ?? [1, 0, 0]
}

/** The digits each of the first three parts begins with; one without any is an error there. */
function leadingDigits(text: string): Triple | null {
  const [major, minor, patch] = text.split('.').map((part) => Number.parseInt(part, 10))
  if (major === undefined || minor === undefined || patch === undefined) return null
  return [major, minor, patch].some(Number.isNaN) ? null : [major, minor, patch]
}

interface SemanticVersion {
  readonly triple: Triple
  readonly preRelease: readonly string[]
  readonly build: readonly string[]
}

/** semver.org 2.0.0, as the npm packages semver and compare-versions have it: null is where they throw. */
export function readAsSemver(text: string): SemanticVersion | null {
  const [rest = '', ...builds] = text.split('+')
  const [core = '', ...dashed] = rest.split('-')
  const numbers = core.split('.')
  const preRelease = dashed.length === 0 ? [] : dashed.join('-').split('.')
  const build = builds.flatMap((one) => one.split('.'))
  const isName = (part: string) => /^[0-9A-Za-z-]+$/.test(part)
  if (builds.length > 1 || numbers.length !== 3 || !numbers.every((part) => /^\d+$/.test(part))) return null
  if (![...preRelease, ...build].every(isName)) return null
  const [major = 0, minor = 0, patch = 0] = numbers.map(Number)
  return { triple: [major, minor, patch], preRelease, build }
}

/** Phanpy of August 2026: what it offers from which version of Mastodon on. */
export const phanpyFeatures = {
  'list-exclusive': [4, 2],
  'filtered-notifications': [4, 3],
  'fetch-multiple-statuses': [4, 3],
  'trending-link-posts': [4, 3],
  'annual-report': [4, 4],
  endorsements: [4, 4],
  'notification-bot-filter': [4, 6],
} as const

/**
 * Features that Phanpy offers. A version compare-versions cannot read counts as too old. The software's name from
 * NodeInfo has to be mastodon or hometown, or unknown.
 */
export function offeredByPhanpy(version: string, softwareName: string | null): readonly string[] {
  const read = readAsSemver(version)
  if (read === null || !['mastodon', 'hometown', null].includes(softwareName)) return []
  const [major, minor] = read.triple
  return Object.entries(phanpyFeatures)
    .filter(([, [from, since]]) => major > from || (major === from && minor >= since))
    .map(([name]) => name)
}

/** Elk of August 2026: twelve more profile fields and Markdown where `+glitch` stands in the version. */
export function isGlitchToElk(version: string): boolean {
  return version.includes('+glitch')
}

interface NodeInfo {
  readonly software: { readonly name: string }
  readonly metadata: { readonly upstream?: { readonly name?: string } }
}

/** megalodon 10: names it knows, or else the upstream; null is its "Unknown SNS". */
export function softwareToMegalodon({ software, metadata }: NodeInfo): string | null {
  const known: Readonly<Record<string, string>> = {
    akkoma: 'pleroma',
    firefish: 'firefish',
    friendica: 'friendica',
    gotosocial: 'gotosocial',
    hometown: 'mastodon',
    iceshrimp: 'firefish',
    mastodon: 'mastodon',
    pixelfed: 'pixelfed',
    pleroma: 'pleroma',
  }
  return known[software.name] ?? (metadata.upstream?.name?.toLowerCase() === 'mastodon' ? 'mastodon' : null)
}
