import { createHash } from 'node:crypto'
import type { AccountId } from '../../lib/ids'
import { knownLanguage } from '../../lib/language'
import { foldText } from '../../lib/text/words'
import { pageKeyOf } from '../../lib/web-address'

// Tokens of the column `traits`. The first letter keeps kinds apart; a digit at the end keeps the stemmer off.

/** Public, by an author who allows search: written by SQL alone, which knows both. */
export const publicTrait = 'pub'

/** Precedes the id of a local user whose search may find it: written by SQL alone. */
export const readerPrefix = 'w'

/** Stands for the id of the viewer in a pattern. No token has braces. */
export const viewerMark = '{me}'
type AccountMark = AccountId | typeof viewerMark

export const readerTrait = (account: AccountMark) => `${readerPrefix}${account}`
export const authorTrait = (account: AccountMark) => `f${account}`

export function tagTrait(name: string): string {
  return `t${plain(name)}0`
}

/** Normalises the code to a supported language, so that `pt-BR` is found as `pt`. */
export function languageTrait(code: string): string {
  return `l${plain(knownLanguage(code) ?? code)}0`
}

/** Digits of the hash: that two of a million addresses share one is as likely as one in thirty million. */
const linkDigits = 16

/** A status that links to a page, by any spelling of its address; null for anything but a web address. */
export function linkTrait(address: string): string | null {
  const key = pageKeyOf(address)
  if (key === null) return null
  return `u${createHash('sha256').update(key).digest('hex').slice(0, linkDigits)}0`
}

/** A property matched by `has:` or `is:`. */
export function propertyTrait(name: string): string {
  return `x${plain(name)}0`
}

function plain(name: string): string {
  const letters = foldText(name).matchAll(/[\p{L}\p{M}\p{N}]/gu)
  return [...letters].slice(0, 100).join('')
}
