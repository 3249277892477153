import { boundsOfSpan } from '../../lib/days'
import { type AccountId, firstIdAt } from '../../lib/ids'
import { authorTrait, propertyTrait, publicTrait, readerTrait, viewerMark } from './document'
import type { Clause, SearchScope, StatusQuery } from './parse'
import type { Sequence } from './words'
/** Facts a search for statuses needs besides its text. */
export interface SearchTerms {
  readonly timeZone: string
  /** The known authors named in the query, by the name as typed. */
  readonly authors: ReadonlyMap<string, AccountId>
}

/** Facts for a text that names neither accounts nor days. */
export const noTerms: SearchTerms = { timeZone: 'UTC', authors: new Map() }

/** Ids from `from` up to, but not including, `until`. */
export interface IdSpan {
  readonly from: number
  readonly until: number
}

/** A search planned for the index and the statuses table. */
export interface StatusSearch {
  /** For the index: quoted tokens and generated operators only, no user input verbatim. `viewerMark` stands for the viewer. */
  readonly pattern: string
  readonly reach: SearchScope
  readonly within: IdSpan
  readonly without: readonly IdSpan[]
  /** Whether playable media is required or excluded. */
  readonly embeds: boolean | null
}

const always: IdSpan = { from: 0, until: Number.MAX_SAFE_INTEGER }

/** Translates a query into the terms of the index. Pure. Null if it cannot match, as for an unknown author. */
export function planSearch(
  { wanted, unwanted, reach }: StatusQuery,
  terms: SearchTerms,
): StatusSearch | null {
  const sought = wanted.map((clause) => expressionOf(clause, terms))
  if (sought.includes(null)) return null
  const found = [readable(reach), ...sought.filter((one) => one !== null && one !== '')]
  const barred = unwanted
    .filter(({ kind }) => kind !== 'embed')
    .map((clause) => expressionOf(clause, terms))
    .filter((one) => one !== null && one !== '')
  const isEmbed = ({ kind }: Clause) => kind === 'embed'
  return {
    reach,
    pattern: `(${found.join(' AND ')})${barred.length === 0 ? '' : ` NOT (${barred.join(' OR ')})`}`,
    within: spansOf(wanted, terms).reduce(overlap, always),
    without: spansOf(unwanted, terms),
    embeds: wanted.some(isEmbed) ? true : unwanted.some(isEmbed) ? false : null,
  }
}

/** Whether `from:` means the viewer. */
export function isMe(name: string): boolean {
  return name.toLowerCase() === 'me'
}

function readable(reach: SearchScope): string {
  const own = `"${readerTrait(viewerMark)}"`
  const traits = { all: `"${publicTrait}" OR ${own}`, library: own, public: `"${publicTrait}"` }[reach]
  return `traits : (${traits})`
}

/** Empty for clauses outside the index, null for clauses without a match. */
function expressionOf(clause: Clause, { authors }: SearchTerms): string | null {
  switch (clause.kind) {
    case 'words':
      return `text : ${phrase(clause.sequence)}`
    case 'trait':
      return trait(clause.trait)
    case 'embed':
      return trait(propertyTrait('link'))
    case 'author': {
      const id = isMe(clause.name) ? viewerMark : authors.get(clause.name)
      return id === undefined ? null : trait(authorTrait(id))
    }
    case 'date':
      return ''
  }
}

// Tokens hold letters, marks and digits alone: a quotation mark cannot end the phrase.
function phrase({ tokens, isOpen }: Sequence): string {
  return `"${tokens.join(' ')}"${isOpen ? ' *' : ''}`
}

function trait(token: string): string {
  return `traits : "${token}"`
}

function spansOf(clauses: readonly Clause[], { timeZone }: SearchTerms): readonly IdSpan[] {
  return clauses.flatMap((clause) => {
    if (clause.kind !== 'date') return []
    const { from, until } = boundsOfSpan(clause.span, timeZone)
    const [start, end] = [firstIdAt(from), firstIdAt(until)]
    if (clause.side === 'before') return [{ ...always, until: start }]
    return clause.side === 'after' ? [{ ...always, from: end }] : [{ from: start, until: end }]
  })
}

function overlap(a: IdSpan, b: IdSpan): IdSpan {
  return { from: Math.max(a.from, b.from), until: Math.min(a.until, b.until) }
}
