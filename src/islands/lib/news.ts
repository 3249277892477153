/** Choices by which a page leaves posts out of its timeline. */
export interface Taste {
  /** The stream of the timeline, as the streaming API names it. */
  readonly stream: string
  /** Kinds of entries that the member chose not to see: `boosts`, `replies`, `quotes`. */
  readonly without: readonly string[]
  /** Id of the member's account. */
  readonly me: string
}

/** Whether the timeline of the page shows a post that came by its stream, so that it counts as new. */
export function isNews(payload: string, { stream, without, me }: Taste): boolean {
  const status: unknown = JSON.parse(payload)
  const boosted = part(status, 'reblog')
  const author = textIn(part(boosted ?? status, 'account'), 'id')
  const place = stream === 'user' || stream === 'list' ? 'home' : 'public'
  if (author !== me && isHiddenIn(place, part(status, 'filtered'), part(boosted, 'filtered'))) return false
  if (without.includes('boosts') && boosted !== null) return false
  if (without.includes('quotes') && part(status, 'quote') !== null) return false
  const isReply = part(status, 'in_reply_to_id') !== null
  return !(without.includes('replies') && isReply && !isFor(status, me))
}

/** Whether a reply is by the member or answers them: such ones are always shown. */
function isFor(status: unknown, me: string): boolean {
  return textIn(part(status, 'account'), 'id') === me || textIn(status, 'in_reply_to_account_id') === me
}

function isHiddenIn(place: string, ...lists: readonly unknown[]): boolean {
  const matches = lists.flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []))
  return matches.some((match) => {
    const filter = part(match, 'filter')
    const context = part(filter, 'context')
    return textIn(filter, 'filter_action') === 'hide' && Array.isArray(context) && context.includes(place)
  })
}

/** A property of an object; null where there is none. */
function part(whole: unknown, name: string): unknown {
  if (typeof whole !== 'object' || whole === null) return null
  const found: unknown = Reflect.get(whole, name)
  return found ?? null
}

function textIn(whole: unknown, name: string): string {
  return String(part(whole, name) ?? '')
}
