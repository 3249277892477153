import type { Visibility } from '../../db/schema/statuses'
import { idOf, type JsonObject, listOf } from './json'

export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

const publicNames: ReadonlySet<unknown> = new Set([PUBLIC, 'as:Public', 'Public'])
// Far above any genuine document, and the bound on work for a hostile one.
const MAX_ADDRESSES = 500

/** Addressees, each once; the public collection always by its full address. */
export interface Audience {
  readonly to: readonly string[]
  readonly cc: readonly string[]
}

export function readAudience(object: JsonObject): Audience {
  return { to: addressesOf(object['to']), cc: addressesOf(object['cc']) }
}

function addressesOf(value: unknown): readonly string[] {
  const found = listOf(value, MAX_ADDRESSES).flatMap((item) => (isPublic(item) ? PUBLIC : (idOf(item) ?? [])))
  return found.length > 1 ? [...new Set(found)] : found
}

/** Whether a value names the public collection, in any of its spellings. */
export function isPublic(value: unknown): boolean {
  return publicNames.has(value) || (typeof value === 'object' && idOf(value) === PUBLIC)
}

export function isAddressed({ to, cc }: Audience): boolean {
  return to.length > 0 || cc.length > 0
}

/** Derives the visibility. `followers` is the author's followers collection; addressing it means private. */
export function visibilityOf({ to, cc }: Audience, followers: string | null): Visibility {
  if (to.includes(PUBLIC)) return 'public'
  if (cc.includes(PUBLIC)) return 'unlisted'
  if (followers !== null && (to.includes(followers) || cc.includes(followers))) return 'private'
  return 'direct'
}

const widths: readonly Visibility[] = ['direct', 'private', 'unlisted', 'public']

export function narrower(one: Visibility, other: Visibility): Visibility {
  return widths.indexOf(one) <= widths.indexOf(other) ? one : other
}
