import * as z from 'zod'
import { parseAccountReference, parseServer } from '../../contract/handle'
import type { TransferKind } from '../../db/schema/transfers'
import { columnNames, parseCsv } from '../../lib/csv'
import { knownLanguage } from '../../lib/language'
import { parseWebAddress } from '../../lib/web-address'

/** Names of columns that stand in the files of one kind only. */
const ownColumns: Readonly<Record<string, TransferKind>> = {
  'show boosts': 'following',
  'notify on new posts': 'following',
  languages: 'following',
  'hide notifications': 'mutes',
  'list name': 'lists',
  domain: 'domain_blocks',
  severity: 'domain_blocks',
  uri: 'bookmarks',
}
const ofAccounts: readonly TransferKind[] = ['following', 'blocks', 'mutes']
const address = 'account address'

/** Names of the columns in the first line, in lower case and without `#`; null where it is an entry. */
function headingIn(first: readonly string[]): readonly string[] | null {
  const names = columnNames(first)
  return names[0] === address || Object.hasOwn(ownColumns, names[0] ?? '') ? names : null
}

/**
 * Whether a file may be of a kind: its heading says what it is; without one, some of its first lines has to have the cells
 * of the kind. Files of addresses alone may be any of those that name accounts.
 */
function mayBe(kind: TransferKind, lines: readonly (readonly string[])[]): boolean {
  const names = headingIn(lines[0] ?? [])
  const entries = lines.slice(0, linesLookedAt)
  if (names === null) return entries.length === 0 || entries.some((cells) => fits(kind, cells))
  const named = names.flatMap((name) => (Object.hasOwn(ownColumns, name) ? (ownColumns[name] ?? []) : []))
  return named.length > 0 ? named.includes(kind) : ofAccounts.includes(kind)
}

const linesLookedAt = 100
const isFlag = (cell: string) => /^(?:true|false)$/i.test(cell)
const isAddress = (cell: string) => /^@?[\w.-]+@[^\s@/]+$/.test(cell)

/** Whether a line of a file without a heading has the cells of a kind: options of follows, or titles of lists, do not fit others. */
function fits(kind: TransferKind, [first = '', second = '', third = '']: readonly string[]): boolean {
  if (isFlag(second)) return kind === 'following' || (kind === 'mutes' && third === '')
  if (isAddress(second)) return kind === 'lists'
  return kind !== 'domain_blocks' || !isAddress(first)
}

/** Mastodon's file formats for export and import: one line an entry, for some kinds below a heading. */

const AccountName = z.object({ username: z.string(), domain: z.string().nullable() })

/** A parsed line of a file. Local domains are null. */
export const Entry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('following'),
    account: AccountName,
    showReblogs: z.boolean(),
    notify: z.boolean(),
    languages: z.array(z.string()).nullable(),
  }),
  z.object({ kind: z.literal('lists'), title: z.string(), account: AccountName }),
  z.object({ kind: z.literal('blocks'), account: AccountName }),
  z.object({ kind: z.literal('mutes'), account: AccountName, hideNotifications: z.boolean() }),
  z.object({ kind: z.literal('domain_blocks'), domain: z.string() }),
  z.object({ kind: z.literal('bookmarks'), uri: z.string() }),
])
export type Entry = z.infer<typeof Entry>
export type AccountName = z.infer<typeof AccountName>

/** A stored line: parsed, or with its error. */
export interface ImportLine {
  readonly key: string
  readonly entry: Entry | null
  /** The cells as uploaded, for the file of failures. */
  readonly cells: readonly string[]
}

const headings = {
  address: 'Account address',
  boosts: 'Show boosts',
  notify: 'Notify on new posts',
  languages: 'Languages',
  hide: 'Hide notifications',
} as const

/** Heading of a kind's file; none for most. */
export const headingsOf: Readonly<Record<TransferKind, readonly string[] | null>> = {
  following: [headings.address, headings.boosts, headings.notify, headings.languages],
  lists: null,
  blocks: null,
  mutes: [headings.address, headings.hide],
  domain_blocks: null,
  bookmarks: null,
}

/** The cells of an entry, as `parseLines` reads them; the local domain is spelled out. */
export function cellsOf(entry: Entry, ownDomain: string): readonly string[] {
  switch (entry.kind) {
    case 'following':
      return [
        addressOf(entry.account, ownDomain),
        String(entry.showReblogs),
        String(entry.notify),
        (entry.languages ?? []).join(', '),
      ]
    case 'lists':
      return [entry.title, addressOf(entry.account, ownDomain)]
    case 'blocks':
      return [addressOf(entry.account, ownDomain)]
    case 'mutes':
      return [addressOf(entry.account, ownDomain), String(entry.hideNotifications)]
    case 'domain_blocks':
      return [entry.domain]
    case 'bookmarks':
      return [entry.uri]
  }
}

/** Normalised key of an entry's target. */
export function keyOf(entry: Entry, ownDomain: string): string {
  switch (entry.kind) {
    case 'lists':
      return `${addressOf(entry.account, ownDomain).toLowerCase()} ${entry.title}`
    case 'domain_blocks':
      return entry.domain
    case 'bookmarks':
      return entry.uri
    default:
      return addressOf(entry.account, ownDomain).toLowerCase()
  }
}

function addressOf({ username, domain }: AccountName, ownDomain: string): string {
  return `${username}@${domain ?? ownDomain}`
}

/** Parses a file of one kind; null for one of another kind. Duplicate entries are merged; the last counts. */
export function parseLines(
  text: string,
  kind: TransferKind,
  { ownDomains, ownDomain }: { readonly ownDomains: readonly string[]; readonly ownDomain: string },
): readonly ImportLine[] | null {
  const rows = parseCsv(text).map(({ cells }) => cells)
  if (!mayBe(kind, rows)) return null
  const names = headingIn(rows[0] ?? [])
  const lines = (names === null ? rows : rows.slice(1)).map((cells): ImportLine => {
    const entry = parseEntry(kind, cells, { names: names ?? [], ownDomains })
    // An unreadable line gets a key apart from readable ones of the same spelling.
    const key = entry === null ? `? ${cells.join(',').slice(0, 500)}` : keyOf(entry, ownDomain)
    return { key, entry, cells: cells.map((cell) => cell.slice(0, 2_048)) }
  })
  return [...new Map(lines.map((line) => [line.key, line])).values()]
}

interface ParseContext {
  readonly names: readonly string[]
  readonly ownDomains: readonly string[]
}

function parseEntry(
  kind: TransferKind,
  cells: readonly string[],
  { names, ownDomains }: ParseContext,
): Entry | null {
  const named = (name: string, otherwise: string) => {
    const at = names.indexOf(name.toLowerCase())
    return (at < 0 ? undefined : cells[at]) ?? otherwise
  }
  const [first = '', second = ''] = cells
  switch (kind) {
    case 'domain_blocks': {
      const domain = parseServer(first)
      return domain === null || !domain.includes('.') || ownDomains.includes(domain) ? null : { kind, domain }
    }
    case 'bookmarks': {
      const uri = parseWebAddress(first)
      return uri === null ? null : { kind, uri }
    }
    case 'lists': {
      const account = parseAccountReference(second, ownDomains)
      return account === null || first === '' ? null : { kind, title: first, account }
    }
    default: {
      const account = parseAccountReference(first, ownDomains)
      if (account === null) return null
      if (kind === 'blocks') return { kind, account }
      if (kind === 'mutes') return { kind, account, hideNotifications: isTrue(named(headings.hide, 'true')) }
      const languages = named(headings.languages, '')
        .split(',')
        .flatMap((code) => knownLanguage(code.trim()) ?? [])
      return {
        kind,
        account,
        languages: languages.length === 0 ? null : languages,
        showReblogs: isTrue(named(headings.boosts, 'true')),
        notify: isTrue(named(headings.notify, 'false')),
      }
    }
  }
}

function isTrue(cell: string): boolean {
  return ['true', '1', 'yes'].includes(cell.toLowerCase())
}
