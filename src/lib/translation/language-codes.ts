import { knownLanguage, languages } from '../language'

const special: Readonly<Record<string, string>> = { 'zh-hans': 'zh-CN', 'zh-hant': 'zh-TW', zt: 'zh-TW' }

/** The code a service names a language by, as ours; null for what no post is written in. */
export function ourCode(theirs: string): string | null {
  return special[theirs.toLowerCase()] ?? knownLanguage(theirs)
}

/**
 * By our code, what a service calls a language. Where it has several forms of one, its plain one counts, else the
 * first it names; Chinese without a script is the form most read.
 */
export function theirCodes(all: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const theirs of all) {
    const ours = ourCode(theirs)
    if (ours !== null && (!found.has(ours) || theirs.toLowerCase() === ours.toLowerCase()))
      found.set(ours, theirs)
  }
  const simplified = found.get('zh-CN')
  if (simplified !== undefined && !found.has('zh')) found.set('zh', simplified)
  return found
}

/** Every source with all targets but itself. */
export function allPairs(
  sources: Iterable<string>,
  targets: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const pairs = [...sources].map((source) => [source, targets.filter((target) => target !== source)] as const)
  return Object.fromEntries(pairs)
}

/** Ours, so that a service with codes of its own cannot name others. */
export const ourCodes: readonly string[] = languages.map(({ code }) => code)
