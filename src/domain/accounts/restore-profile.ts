import { eq } from 'drizzle-orm'
import { countCharacters } from '../../contract/text/count'
import { execute, first, orNotFound } from '../../db/query'
import { accounts } from '../../db/schema'
import type { ArchivedProfile } from '../../ports/archives'
import type { Ctx } from '../../ports/ctx'
import type { Viewer } from '../core/viewer'
import { type ProfilePatch, profileLimits } from './profile-patch'
import { updateProfile } from './update'

export type RestoredPart = 'displayName' | 'note' | 'fields' | 'avatar' | 'header'

/** Texts and pictures of a profile in an archive. */
export interface RestoredProfile {
  readonly texts: ArchivedProfile | null
  readonly avatar: Uint8Array | undefined
  readonly header: Uint8Array | undefined
}

/**
 * Fills what is empty in the viewer's profile from an archive, and returns what it filled: a repetition does nothing, and
 * undoes nothing that was written since. Texts are cut to the limits of this server. Nothing is published. `Invalid` for
 * files that are no pictures.
 */
export async function restoreProfile(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  { texts, avatar, header }: RestoredProfile,
): Promise<readonly RestoredPart[]> {
  const row = await execute(
    ctx.db,
    orNotFound(first(ctx.db.select().from(accounts).where(eq(accounts.id, viewer.id)))),
  )
  const wanted = [
    // New accounts are named like their usernames.
    [
      'displayName',
      ['', row.username].includes(row.displayName),
      clipped(texts?.displayName, profileLimits.displayName),
    ],
    ['note', row.note === '', clippedNote(texts?.note)],
    ['fields', row.fields.length === 0, clippedFields(texts?.fields)],
    ['avatar', row.avatar === null, avatar],
    ['header', row.header === null, header],
  ] as const
  const restored = wanted.filter(([, isEmpty, value]) => isEmpty && value !== undefined && value.length > 0)
  if (restored.length === 0) return []
  const patch: ProfilePatch = Object.fromEntries(restored.map(([part, , value]) => [part, value]))
  await updateProfile(ctx, viewer, patch, { isSilent: true })
  return restored.map(([part]) => part)
}

function clipped(text: string | undefined, most: number): string | undefined {
  return text === undefined ? undefined : [...text.trim()].slice(0, most).join('')
}

/** Addresses count less than their letters. */
function clippedNote(text: string | undefined): string | undefined {
  return text !== undefined && countCharacters(text) <= profileLimits.note
    ? text.trim()
    : clipped(text, profileLimits.note)
}

function clippedFields(fields: ArchivedProfile['fields'] | undefined) {
  const { fields: most, fieldName, fieldValue } = profileLimits
  return fields
    ?.map(({ name, value }) => ({
      name: clipped(name, fieldName) ?? '',
      value: clipped(value, fieldValue) ?? '',
    }))
    .filter(({ name }) => name !== '')
    .slice(0, most)
}
