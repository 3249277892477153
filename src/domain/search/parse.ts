import { Invalid } from '../../errors'
import { type CalendarSpan, parseSpan } from '../../lib/days'
import { languageTrait, linkTrait, propertyTrait, tagTrait } from './document'
import { type Sequence, sequenceOf } from './words'
/** A condition that a status has to meet, or must not. */
export type Clause =
  | { readonly kind: 'words'; readonly sequence: Sequence }
  | { readonly kind: 'trait'; readonly trait: string }
  /** Playable media; only the status itself shows it. */
  | { readonly kind: 'embed' }
  /** A name as typed, or `me`. */
  | { readonly kind: 'author'; readonly name: string }
  | { readonly kind: 'date'; readonly side: DateSide; readonly span: CalendarSpan }

export type DateSide = 'before' | 'after' | 'during'

/** Searchable statuses: every one the viewer may find, only their library, or only public ones. */
export type SearchScope = 'all' | 'library' | 'public'

/** A parsed search for statuses. */
export interface StatusQuery {
  readonly wanted: readonly Clause[]
  readonly unwanted: readonly Clause[]
  readonly reach: SearchScope
}

const maxCharacters = 500
const maxClauses = 20

const operators = ['has', 'is', 'language', 'from', 'before', 'after', 'during', 'in'] as const
type Operator = (typeof operators)[number]

interface Term {
  readonly negated: boolean
  readonly operator: Operator | null
  readonly value: string
  readonly quoted: boolean
}

/**
 * Parses a search text: words, "phrases", #hashtags, web addresses, operators, and `-` for exclusion. Pure. Null for an
 * empty query. An address stands for the posts that link to it.
 *
 * An unknown operator is text, an unclosed quotation mark is ignored. `Invalid` for an invalid date.
 */
export function parseStatusQuery(text: string): StatusQuery | null {
  const whole = linkIn(text.trim())
  if (whole !== null) return { wanted: [whole], unwanted: [], reach: 'all' }
  const terms = termsIn(text).slice(0, maxClauses)
  const read = terms.flatMap((term) => {
    const clause = clauseOf(term)
    return clause === null ? [] : [{ clause, negated: term.negated }]
  })
  const reach = scopeOf(terms)
  if (read.length === 0 && reach === 'all') return null
  const having = (negated: boolean) =>
    read.filter((one) => one.negated === negated).map(({ clause }) => clause)
  return { wanted: having(false), unwanted: having(true), reach }
}

// Phones type “curly” quotation marks by default.
const curly = /[“”„‟]/g
const term = /([+-])?(?:([a-z]+):)?(?:"([^"]*)"|([^\s"]+))/giu

function termsIn(text: string): readonly Term[] {
  const shortened = [...text.replace(curly, '"')].slice(0, maxCharacters).join('')
  return [...shortened.matchAll(term)].map(([whole, sign, name, phrase, bare]) => {
    const operator = operators.find((one) => one === name?.toLowerCase()) ?? null
    const value = phrase ?? bare ?? ''
    const isOperator = operator !== null && value !== ''
    return {
      negated: sign === '-',
      operator: isOperator ? operator : null,
      quoted: phrase !== undefined,
      value: isOperator || name === undefined ? value : whole.replace(/^[+-]/, ''),
    }
  })
}

function scopeOf(terms: readonly Term[]): SearchScope {
  const lastScope = terms.filter(({ operator, negated }) => operator === 'in' && !negated).at(-1)
  const value = lastScope?.value.toLowerCase()
  return value === 'library' || value === 'public' ? value : 'all'
}

function clauseOf({ operator, value, quoted }: Term): Clause | null {
  switch (operator) {
    case null:
      if (quoted) return wordsOf(value)
      return value.startsWith('#') ? tagOf(value) : (linkIn(value) ?? wordsOf(value))
    case 'has':
    case 'is':
      return value.toLowerCase() === 'embed'
        ? { kind: 'embed' }
        : { kind: 'trait', trait: propertyTrait(value) }
    case 'language':
      return { kind: 'trait', trait: languageTrait(value) }
    case 'from':
      return { kind: 'author', name: value }
    case 'in':
      return null
    case 'before':
    case 'after':
    case 'during':
      return { kind: 'date', side: operator, span: spanOf(operator, value) }
  }
}

function wordsOf(value: string): Clause | null {
  const sequence = sequenceOf(value)
  return sequence === null ? null : { kind: 'words', sequence }
}

function linkIn(value: string): Clause | null {
  const trait = /^https?:\/\/\S+$/i.test(value) ? linkTrait(value) : null
  return trait === null ? null : { kind: 'trait', trait }
}

function tagOf(value: string): Clause | null {
  // A name needs a letter or digit.
  return sequenceOf(value) === null ? null : { kind: 'trait', trait: tagTrait(value) }
}

function spanOf(operator: DateSide, value: string): CalendarSpan {
  const span = parseSpan(value)
  if (span === null) throw new Invalid('date_expected', { operator })
  return span
}
