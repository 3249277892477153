import { namedLimits } from '../../contract/limits'
import type { EmojiSnapshot, ProfileField } from '../../db/values'
import { acctOf, profileUrl, tagUrl } from '../../lib/addresses'
import { ownSpelledOut } from '../../lib/handle'
import { findShortcodes } from '../../lib/text/emoji'
import { parseText } from '../../lib/text/parse'
import { renderFieldValue, renderPlainText, type TextLinks } from '../../lib/text/render'
import { mentionKey } from '../../lib/text/scan'
import type { AccountRow, Mentionable } from './find'
import type { ProfilePatch } from './profile-patch'

type Texts = Pick<AccountRow, 'displayName' | 'note' | 'noteHtml' | 'fields' | 'emojis'>

/** Handles and shortcodes in the texts of a patch, to be looked up before rendering. */
export function profileReferences(patch: ProfilePatch, ownDomains: readonly string[]) {
  const bodies = [patch.note ?? '', ...(patch.fields ?? []).map(({ value }) => value)]
  const mentions = bodies.flatMap((text) => [...parseText(text, 'text/plain').mentions])
  const named = [patch.displayName ?? '', ...bodies, ...(patch.fields ?? []).map(({ name }) => name)]
  return {
    handles: mentions.map((mention) => ownSpelledOut(mention, ownDomains)),
    shortcodes: [...new Set(named.flatMap(findShortcodes))].slice(0, namedLimits.emojis),
  }
}

interface ResolvedReferences {
  readonly accounts: readonly Mentionable[]
  readonly emojis: readonly EmojiSnapshot[]
}

/**
 * Columns changed by a patch of the texts. Pure.
 *
 * A field whose value stays the same keeps the proof that its page links back. Emojis of unchanged texts are kept
 * as stored; those no text names any more are dropped.
 */
export function renderTexts(
  place: { readonly origin: string; readonly ownDomains: readonly string[] },
  row: Texts,
  patch: ProfilePatch,
  named: ResolvedReferences,
): Partial<Texts> {
  const links = linksTo(place, named.accounts)
  const fields = patch.fields?.map(({ name, value }): ProfileField => {
    const before = row.fields.find((field) => field.value === value)
    return { name, value, html: renderFieldValue(value, links), verifiedAt: before?.verifiedAt ?? null }
  })
  const after = {
    ...(patch.displayName === undefined ? {} : { displayName: patch.displayName.trim() }),
    ...(patch.note === undefined ? {} : { note: patch.note, noteHtml: renderPlainText(patch.note, links) }),
    ...(fields === undefined ? {} : { fields }),
  }
  return Object.keys(after).length === 0
    ? {}
    : { ...after, emojis: emojisOf({ ...row, ...after }, [...named.emojis, ...row.emojis]) }
}

function emojisOf(texts: Texts, known: readonly EmojiSnapshot[]): EmojiSnapshot[] {
  const all = [texts.displayName, texts.note, ...texts.fields.flatMap(({ name, value }) => [name, value])]
  const shortcodes = new Set(all.flatMap(findShortcodes))
  return [...shortcodes].flatMap((code) => known.find(({ shortcode }) => shortcode === code) ?? [])
}

function linksTo(
  { origin, ownDomains }: { readonly origin: string; readonly ownDomains: readonly string[] },
  known: readonly Mentionable[],
): TextLinks {
  const byKey = new Map(known.map((account) => [mentionKey(account), account]))
  return {
    mention: (mention) => {
      const account = byKey.get(mentionKey(ownSpelledOut(mention, ownDomains)))
      if (account === undefined || account.suspendedAt !== null) return null
      const url = account.url ?? account.uri ?? profileUrl(origin, account.username)
      return { url, username: account.username, acct: acctOf(account) }
    },
    tagUrl: (name) => tagUrl(origin, name),
  }
}
