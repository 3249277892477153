import type { TransferKind } from '../../db/schema/transfers'
import { columnNames } from '../../lib/csv'

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
export function headingIn(first: readonly string[]): readonly string[] | null {
  const names = columnNames(first)
  return names[0] === address || Object.hasOwn(ownColumns, names[0] ?? '') ? names : null
}

/**
 * Whether a file may be of a kind: its heading says what it is; without one, some of its first lines has to have the cells
 * of the kind. Files of addresses alone may be any of those that name accounts.
 */
export function mayBe(kind: TransferKind, lines: readonly (readonly string[])[]): boolean {
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
